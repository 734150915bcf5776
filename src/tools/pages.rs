//! Pages for a browser: one HTML file that needs no network. The templates are in `pages/`.

use serde::Serialize;

const PAGE: &str = include_str!("pages/page.html");
const CHARSET: &str = "<meta charset=\"utf-8\">";
/// The mark of a page: `tools/files.rs` looks for it.
const GENERATOR: &str =
    concat!("<meta name=\"generator\" content=\"Duiyi ", env!("CARGO_PKG_VERSION"), "\">");
const STYLE: &str = include_str!("pages/style.css");

pub struct Page<'a> {
    /// The title of the document, as text.
    pub title: &'a str,
    /// The content of the body, as HTML.
    pub body: &'a str,
    /// The scripts, in the order in which they run.
    pub scripts: &'a [&'a str],
}

impl Page<'_> {
    /// The HTML of the page, with `data` as JSON in the element `data`, and with each of `parts` in an element of its own, which the
    /// browser reads after it has run the scripts.
    ///
    /// # Errors
    /// If the data cannot be written as JSON.
    pub fn html(&self, data: &impl Serialize, parts: &[impl Serialize]) -> serde_json::Result<String> {
        let data = json(data)?;
        let element =
            |part| Ok(format!("<script type=\"application/json\" class=\"part\">{}</script>\n", json(part)?));
        let parts = parts.iter().map(element).collect::<serde_json::Result<String>>()?;
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let script = self.scripts.join("\n");
        let page = PAGE.replacen(CHARSET, &format!("{CHARSET}\n{GENERATOR}"), 1);
        let mut pieces = page.split("{{");
        let mut html = pieces.next().unwrap_or_default().to_string();
        // Each placeholder is replaced once: what takes its place is not searched.
        for piece in pieces {
            let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
            html += match name {
                "language" => "en",
                "title" => &title,
                "style" => STYLE,
                "body" => self.body,
                "data" => &data,
                "script" => &script,
                "parts" => &parts,
                _ => unreachable!("page.html has no placeholder {name}"),
            };
            html += rest;
        }
        Ok(html)
    }
}

/// JSON for a script element. In JSON, `<` stands only inside strings. Without it, no text can end the element.
fn json(data: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_data() {
        let hostile = "</script><script>alert(1)</script>{{body}}<!--";
        let page = Page { title: hostile, body: "<main></main>", scripts: &["run();"] };
        let html = page.html(&[hostile], &[hostile, "second"]).unwrap();
        assert_eq!(html.matches("</script>").count(), 4);
        assert_eq!(html.matches(GENERATOR).count(), 1);
        assert_eq!(html.matches("<main></main>").count(), 1);
        assert!(html.contains("<title>&lt;/script>&lt;script>alert"), "{html}");
        let (_, data) = html.split_once("id=\"data\">").unwrap();
        let data: Vec<String> = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(data, [hostile]);
        let parts = html.split("class=\"part\">").skip(1).map(|part| part.split_once("</script>").unwrap().0);
        let parts: Vec<String> = parts.map(|part| serde_json::from_str(part).unwrap()).collect();
        assert_eq!(parts, [hostile, "second"]);
    }
}
