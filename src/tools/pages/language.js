// The language of a page, English or Chinese: the reader's last choice, or that of the browser. A page has its texts in `TEXTS`.

const languageKey = "duiyi.language";
const titleInEnglish = document.title;
let texts = TEXTS.en;

/** The memory of the browser, where it grants one. */
const memory = {
  read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch {
      // Without memory the page still works; a reload then begins anew.
    }
  },
};

/** Sets the language and writes the texts of all elements with `data-text`, `data-label` or `data-title`. */
function setLanguage(language) {
  texts = TEXTS[language];
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.title = texts.title(titleInEnglish);
  byId("language").lang = language === "zh" ? "en" : "zh-CN"; // Its text names the other language.
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", texts[element.dataset.label]);
  for (const element of document.querySelectorAll("[data-title]")) element.title = texts[element.dataset.title];
}

/** Sets the language that the reader chose last, or else that of the browser. */
function startLanguage() {
  setLanguage(memory.read(languageKey) ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
}

/** Changes to the other language and keeps the choice. */
function changeLanguage() {
  const language = texts === TEXTS.en ? "zh" : "en";
  memory.write(languageKey, language);
  setLanguage(language);
}

const CHINESE_DIGITS = "一二三四五六七八九";

/** A move of xiangqi as Chinese players write it, 炮二平五, from its text in WXF, `C2=5`. Other text stays. `side` is 0 for Red. */
function xiangqiMoveInChinese(text, side) {
  const wxf = /^([KAEHRCP])([1-9+-])([=+-])([1-9])$/.exec(text);
  if (!wxf) return text;
  const [, letter, place, direction, number] = wxf;
  const piece = ["帅仕相马车炮兵", "将士象马车炮卒"][side]["KAEHRCP".indexOf(letter)];
  const digit = figure => (side === 0 ? CHINESE_DIGITS[figure - 1] : figure);
  const start = place === "+" ? `前${piece}` : place === "-" ? `后${piece}` : piece + digit(place);
  return start + { "=": "平", "+": "进", "-": "退" }[direction] + digit(number);
}
