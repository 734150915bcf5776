//! Chess and Chess960. (to come)
