// The questions of a dialogue as nodes, one for each, so that a visitor can correct a single answer.
import type { Json } from '../edits/edit.ts'
import type { AnswerKind, Question } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { takeName, toName } from './names.ts'
import { toReadableDate, toReadableNumber } from './readable.ts'
import type { StoredPart } from './tables.ts'
import { expression, joined, standard, type Text, toTemplate, written } from './text.ts'

/** A question with the names that it has in the flow. */
export interface AskedQuestion {
  question: Question
  node: string
  /** `workflow.email`. */
  variable: string
  label: Text
  /** Expression of the answer as people read it. */
  shown: string
  part: StoredPart
}

const variableTypes: Partial<Record<AnswerKind, string>> = {
  number: 'number',
  confirmation: 'boolean',
  date: 'date',
  multipleChoice: 'array',
  file: 'object',
}

/** Expressions of cells and summaries, for answers that are no texts. */
const toCell: Partial<Record<AnswerKind, (variable: string) => string>> = {
  multipleChoice: (variable) => `${variable}?.join(", ") ?? null`,
  file: (variable) => `${variable}?.url ?? null`,
}

/** Of an answer in words. The server stores rows of at most 4 KB. */
const maxCharacters = 1000

/** Returns the schema of a new column for answers of a kind. */
export const toColumnOfQuestion = (kind: AnswerKind): { type: string } => ({
  type: { number: 'number', confirmation: 'boolean' }[kind as string] ?? 'string',
})

/** Declares the variables of the questions. */
export function declareQuestions(
  builder: DialogueBuilder,
  questions: Question[],
): AskedQuestion[] {
  const nodes = new Set<string>()
  return questions.map((question) => {
    const { id, name, kind } = question
    const word = toName(name, 'answer')
    const variable = builder.variable(word, variableTypes[kind] ?? 'string')
    const value = toCell[kind]?.(variable) ?? variable
    const asking = `ask${word[0]!.toUpperCase()}${word.slice(1)}`
    return {
      question,
      variable,
      node: takeName(asking, nodes),
      label: written(name, builder.language),
      shown: toReadable(builder, kind, value),
      part: { id, name: word, column: toColumnOfQuestion(kind), value },
    }
  })
}

interface AskingDeps {
  /** Node after the last question. */
  next: string
  /** Condition on which a corrected answer leads there, too. */
  isComplete?: string | undefined
  onCancel: string
  onFail: string
}

/** Adds the nodes of the questions and returns the first of them, or `next` if there is none. */
export function addQuestions(
  builder: DialogueBuilder,
  asked: AskedQuestion[],
  { next, isComplete, onCancel, onFail }: AskingDeps,
): string {
  for (const [index, { question, node, variable }] of asked.entries()) {
    const { kind, choices, isOptional } = question
    const text = written(question.question, builder.language)
    const cancels = isOptional ? 'skipWords' : 'cancelWords'
    const card = {
      type: 'capture',
      kind,
      question: builder.say(isOptional ? standard('optional', { question: text }) : text),
      into: variable,
      ...(kind === 'text' && { max: maxCharacters }),
      ...(kind.endsWith('Choice') && { options: toOptions(builder, choices) }),
      cancelWords: builder.words(cancels),
      ...(!isOptional && { onCancel, onFail }),
    }
    const following = asked[index + 1]?.node
    const isSkipped = isComplete !== undefined && following !== undefined
    const skip = isSkipped ? [{ type: 'transition', when: isComplete, to: next }] : []
    builder.node(node, [card, ...skip], following ?? next)
  }
  return asked[0]?.node ?? next
}

const toOptions = (builder: DialogueBuilder, choices: string[]): Json[] =>
  choices.map((choice) => ({
    label: builder.say(written(choice, builder.language)),
    value: toTemplate(choice),
  }))

/** Returns the answers with their names, a line for each. */
export const toSummary = (asked: AskedQuestion[]): Text =>
  joined(
    asked.map(({ label, shown }) => joined([label, () => ': ', expression(shown)])),
    '\n',
  )

/** Returns the expression of an answer as people read it. */
function toReadable(builder: DialogueBuilder, kind: AnswerKind, value: string): string {
  if (kind === 'confirmation') return `${value} === null ? "–" : ${value} ? "✓" : "✗"`
  if (kind === 'number') return toReadableNumber(value, builder.language)
  return kind === 'date' ? toReadableDate(value, builder) : `${value} ?? "–"`
}

interface ConfirmDeps {
  /** The answers. */
  summary: Text
  text: 'confirm' | 'confirmBooking'
  /** The answers that can be changed, with the nodes that ask for them. */
  changes: { label: Text; node: string }[]
  isComplete: string
  next: string
  onCancel: string
  onFail: string
}

/** Adds the nodes `confirm`, and `change` for the choice of an answer that was wrong. */
export function addConfirmation(
  builder: DialogueBuilder,
  { summary, text, changes, isComplete, next, onCancel, onFail }: ConfirmDeps,
): void {
  const isRight = builder.variable('isRight', 'boolean')
  const wrong = builder.variable('wrongAnswer', 'string')
  const leads = { cancelWords: builder.words('cancelWords'), onCancel, onFail }
  builder.node(
    'confirm',
    [
      { type: 'set', variable: isComplete, value: '{{ true }}' },
      {
        type: 'capture',
        kind: 'confirmation',
        question: builder.standard(text, { summary }),
        into: isRight,
        ...leads,
      },
      { type: 'transition', when: `!${isRight}`, to: 'change' },
    ],
    next,
  )
  builder.node(
    'change',
    [
      {
        type: 'capture',
        kind: 'singleChoice',
        question: builder.standard('change'),
        options: changes.map(({ label, node }) => ({
          label: builder.say(label),
          value: node,
        })),
        into: wrong,
        ...leads,
      },
      ...changes.map(({ node }) => ({
        type: 'transition',
        when: `${wrong} === ${JSON.stringify(node)}`,
        to: node,
      })),
    ],
    'confirm',
  )
}
