//! The eight symmetric images of a square board.

/// The number of images, the board itself included.
pub const IMAGES: usize = 8;

const MIRROR_FILES: usize = 1;
const MIRROR_RANKS: usize = 2;
const TRANSPOSE: usize = 4;

/// Returns the point of image number `image`, of 0 to 7, that shows `point`. Image 0 is the board itself.
#[inline]
pub const fn image_of(point: usize, image: usize, size: usize) -> usize {
    if image == 0 {
        return point;
    }
    let (mut file, mut rank) = (point % (size + 1), point / (size + 1));
    if image & TRANSPOSE != 0 {
        (file, rank) = (rank, file);
    }
    if image & MIRROR_FILES != 0 {
        file = size - 1 - file;
    }
    if image & MIRROR_RANKS != 0 {
        rank = size - 1 - rank;
    }
    rank * (size + 1) + file
}

/// Returns the image that shows image number `image` as the board itself.
pub fn inverse(image: usize) -> usize {
    if image & TRANSPOSE == 0 {
        return image;
    }
    TRANSPOSE | (image & MIRROR_FILES) << 1 | (image & MIRROR_RANKS) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn images_are_different_and_have_inverses() {
        let images: HashSet<usize> = (0..IMAGES).map(|image| image_of(1, image, 5)).collect();
        assert_eq!(images.len(), IMAGES);
        for image in 0..IMAGES {
            for point in (0..30).filter(|point| point % 6 < 5) {
                assert_eq!(image_of(image_of(point, image, 5), inverse(image), 5), point);
            }
        }
    }
}
