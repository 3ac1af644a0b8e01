// Makes a dialogue that asks questions, stores the answers and tells a person.
import type { FormAnswers, KnownTable } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { addEndings, addNotStored, addPerson } from './endings.ts'
import {
  addConfirmation,
  addQuestions,
  declareQuestions,
  toSummary,
} from './questions.ts'
import { toStoreCards, useTable } from './tables.ts'
import { written } from './text.ts'

export function addForm(
  builder: DialogueBuilder,
  answers: FormAnswers,
  known: KnownTable[],
): void {
  const { questions, isConfirmed, table: choice, tellsPerson, closing, title } = answers
  const asked = declareQuestions(builder, questions)
  const isComplete = isConfirmed ? builder.variable('isComplete', 'boolean') : undefined
  const leads = { onCancel: 'cancelled', onFail: 'givenUp' }
  const summary = toSummary(asked)
  const next = isConfirmed ? 'confirm' : 'store'
  const first = addQuestions(builder, asked, { ...leads, next, isComplete })
  if (isComplete !== undefined)
    addConfirmation(builder, {
      ...leads,
      summary,
      text: 'confirm',
      changes: asked,
      isComplete,
      next: 'store',
    })
  const table = useTable(builder, { choice, parts: asked.map(({ part }) => part), known })
  builder.node(
    'store',
    [
      ...toStoreCards(builder, table),
      { type: 'send', message: builder.say(written(closing, builder.language)) },
    ],
    tellsPerson ? 'person' : undefined,
  )
  if (table !== null) addNotStored(builder, isConfirmed ? 'change' : first)
  if (tellsPerson) addPerson(builder, title, summary)
  addEndings(builder)
}
