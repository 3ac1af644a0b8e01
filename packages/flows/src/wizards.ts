// Entry for the wizards, which make dialogues from forms: edits of a document that add a flow, its table
// and the ways into it. Runs in browsers.
import type { DocumentEdit, Json } from './edits/edit.ts'
import type { DialogueAnswers, KnownTable } from './wizards/answers.ts'
import { addBooking } from './wizards/booking.ts'
import { DialogueBuilder } from './wizards/builder.ts'
import { type AnswerFault, checkAnswers } from './wizards/check.ts'
import { addForm } from './wizards/form.ts'
import { addOrder } from './wizards/order.ts'
import { addRating } from './wizards/rating.ts'
import { addWays } from './wizards/reach.ts'
import { listTables } from './wizards/tables.ts'

export {
  type AnswerKind,
  answerKinds,
  type BookingAnswers,
  type CommonAnswers,
  type DialogueAnswers,
  type DialogueKind,
  dialogueKinds,
  type FormAnswers,
  type KnownTable,
  type OrderAnswers,
  type Question,
  type RatingAnswers,
  type TableChoice,
} from './wizards/answers.ts'
export {
  type PresetName,
  presetNames,
  tableNames,
  toBeginning,
  toPreset,
  wizardLanguages,
} from './wizards/beginnings.ts'
export { bookingParts } from './wizards/booking.ts'
export { type AnswerFault, checkAnswers } from './wizards/check.ts'
export { type Condition, readCondition } from './wizards/conditions.ts'
export { type FilledIn, fillIn, withFilledIn } from './wizards/fill-in.ts'
export { fitSentence, listOrderColumns } from './wizards/order.ts'
export { toColumnOfQuestion } from './wizards/questions.ts'
export {
  type Greeting,
  listGreetings,
  readBeginnings,
  toBeginningsEdit,
} from './wizards/reach.ts'
export { canStore, listTables, type StoredPart } from './wizards/tables.ts'

/** Thrown for answers with faults, which name the fields. */
export class AnswerError extends Error {
  readonly faults: AnswerFault[]
  constructor(faults: AnswerFault[]) {
    super(faults.map(({ field, message }) => `\`${field}\` ${message}`).join('; '))
    this.faults = faults
  }
}

interface MadeDialogue {
  flow: string
  edits: DocumentEdit[]
}

/**
 * Returns the edits that add a dialogue to a document with flows, and the name of its flow. `tables` are
 * those of the bot on the server. Existing parts keep their names and contents: names that are taken get a
 * number. Only a list of buttons, columns of a table and the missing time zone are added. Throws AnswerError.
 */
export function makeDialogue(
  document: Json,
  answers: DialogueAnswers,
  tables: KnownTable[] = [],
): MadeDialogue {
  const faults = checkAnswers(document, answers, tables)
  if (faults.length > 0) throw new AnswerError(faults)
  const known = listTables(document, tables)
  const builder = new DialogueBuilder(document, answers)
  if (answers.kind === 'booking') addBooking(builder, answers, known)
  else if (answers.kind === 'order') addOrder(builder, answers, known)
  else if (answers.kind === 'rating') addRating(builder, answers, known)
  else addForm(builder, answers, known)
  addWays(builder, answers)
  return { flow: builder.flow, edits: builder.finish() }
}
