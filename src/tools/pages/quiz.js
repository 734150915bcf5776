// The quiz of the page of a trace: the reader predicts a step before it is shown.

const quiz = { step: null, questions: [], asked: 0, right: 0 };

/** A number as a reader may type it: `-3`, `−3`, `３`, `0.35`, `inf` or `−∞`. NaN if it is none. */
function typedNumber(text) {
  const plain = text.normalize("NFKC").trim().replace("−", "-").replace(/^([-+]?)(∞|inf|infinity)$/i, "$1Infinity");
  return plain === "" ? NaN : Number(plain);
}

/** What to ask before step `number` of a trace: pairs of a question and its answer, "yes", "no" or a number as the page shows it. */
function questionsAbout(model, number) {
  // Values like `win in 3` are not asked for.
  return factsAbout(model, number).filter(([, answer]) => isWord(answer) || !Number.isNaN(typedNumber(answer)));
}

const isWord = answer => answer === "yes" || answer === "no";

function factsAbout({ trace, steps }, number) {
  const step = steps[number];
  const hasWindow = step.alpha !== undefined;
  const say = value => shown(value, trace.unit);
  if (step.step === "enter" && hasWindow) return [[texts.questionAlpha(step.node), say(step.alpha)], [texts.questionBeta(step.node), say(step.beta)]];
  if (step.step !== "value") return [];
  const worst = trace.perspective === "MAX" && step.player === "MIN" ? "+inf" : "-inf";
  const questions = [[texts.questionV(step.node, step.move), say(step.is_best ? step.value : step.best_before ?? worst)]];
  if (hasWindow) questions.push([texts.questionCut(step.node), steps[number + 1]?.step === "cutoff" ? "yes" : "no"]);
  return questions;
}

/** Asks about step `number`, if there is anything to ask. Returns whether it does. */
function askAbout(model, number) {
  const questions = questionsAbout(model, number);
  if (questions.length === 0) return false;
  if (quiz.step !== number) {
    [quiz.step, quiz.questions] = [number, questions];
    byId("questions").replaceChildren(...questions.map(([question, answer]) => html("label", {}, `${question} `,
      isWord(answer)
        ? html("select", { required: true }, ...["", "yes", "no"].map(value => html("option", { value, textContent: texts[value] ?? "" })))
        : html("input", { type: "text", size: 6, required: true, autocomplete: "off", spellcheck: false }))));
    byId("quiz").hidden = false;
    byId("verdict").textContent = "";
  }
  byId("questions").querySelector("input, select").focus();
  return true;
}

/** Ends a question without an answer, and what was said of the last one. */
function dropQuestion() {
  quiz.step = null;
  byId("quiz").hidden = true;
  byId("verdict").textContent = "";
}

/** Checks the answers. Returns the number of the step that was asked about, and the verdict in words. */
function checkAnswers() {
  const fields = [...byId("questions").querySelectorAll("input, select")];
  const isRight = ([, answer], text) => text === answer || typedNumber(text) === typedNumber(answer);
  const wrong = quiz.questions.filter((question, index) => !isRight(question, fields[index].value));
  quiz.asked += fields.length;
  quiz.right += fields.length - wrong.length;
  const corrections = wrong.map(([question, answer]) => texts.correction(question, texts[answer] ?? answer));
  return [quiz.step, texts.verdict(wrong.length === 0, corrections, quiz.right, quiz.asked)];
}
