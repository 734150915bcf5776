// The quiz of the page of a trace: the reader predicts a step before it is shown.

const quiz = { step: null, questions: [], asked: 0, right: 0 };

/** A number as a reader may type it: `-3`, `−3`, `0.35`, `inf` or `−∞`. NaN if it is none. */
function typedNumber(text) {
  const plain = text.trim().replace("−", "-").replace(/^([-+]?)(∞|inf|infinity)$/i, "$1Infinity");
  return plain === "" ? NaN : Number(plain);
}

/** What to ask before step `number` of a trace: pairs of a question and its answer, as the page shows it. */
function questionsAbout({ trace, steps }, number) {
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
  [quiz.step, quiz.questions] = [number, questions];
  byId("questions").replaceChildren(...questions.map(([question, answer]) => html("label", {}, `${question} `,
    answer === "yes" || answer === "no"
      ? html("select", { required: true }, ...["", "yes", "no"].map(value => html("option", { value, textContent: texts[value] ?? "" })))
      : html("input", { type: "text", size: 6, required: true, autocomplete: "off", spellcheck: false }))));
  byId("quiz").hidden = false;
  byId("verdict").textContent = "";
  byId("questions").querySelector("input, select").focus();
  return true;
}

/** Ends a question without an answer. */
function dropQuestion() {
  quiz.step = null;
  byId("quiz").hidden = true;
}

/** Checks the answers, says which are wrong, and returns the number of the step that was asked about. */
function checkAnswers() {
  const fields = [...byId("questions").querySelectorAll("input, select")];
  const isRight = ([, answer], text) => text === answer || typedNumber(text) === typedNumber(answer);
  const wrong = quiz.questions.filter((question, index) => !isRight(question, fields[index].value));
  quiz.asked += fields.length;
  quiz.right += fields.length - wrong.length;
  const corrections = wrong.map(([question, answer]) => texts.correction(question, texts[answer] ?? answer));
  const step = quiz.step;
  dropQuestion();
  byId("verdict").textContent = texts.verdict(wrong.length === 0, corrections, quiz.right, quiz.asked);
  return step;
}
