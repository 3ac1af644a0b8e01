// Nodes at which dialogues end: a person, an offer of one, something not found, a cancelled dialogue.
import type { DialogueBuilder } from './builder.ts'
import { type Text, toTemplate } from './text.ts'
import type { TextId } from './texts/en.ts'

/** Adds the node `person`. */
export function addPerson(builder: DialogueBuilder, title: string, summary?: Text): void {
  builder.node('person', [
    {
      type: 'handoff',
      message: builder.standard('toPerson'),
      reason: toTemplate(title),
      ...(summary && { summary: summary(builder.language, 'en')! }),
    },
  ])
}

/** Adds the node `offerPerson`, which asks whether a person shall help, and `noPerson`. */
export function addOffer(builder: DialogueBuilder, text: TextId): void {
  const wantsPerson = builder.variable('wantsPerson', 'boolean')
  builder.node(
    'offerPerson',
    [
      {
        type: 'capture',
        kind: 'confirmation',
        question: builder.standard(text),
        into: wantsPerson,
        cancelWords: builder.words('cancelWords'),
        onCancel: 'noPerson',
        onFail: 'noPerson',
      },
      { type: 'transition', when: `!${wantsPerson}`, to: 'noPerson' },
    ],
    'person',
  )
  builder.node('noPerson', [{ type: 'send', message: builder.standard('noPerson') }])
}

/** How often the bot asks again for something that it did not find. */
const maxAttempts = 3

interface NotFoundDeps {
  text: 'unknownNumber' | 'unknownCode'
  attempts: string
  again: string
  fails: string
}

/** Adds the node `notFound`, which asks again some times. */
export function addNotFound(
  builder: DialogueBuilder,
  { text, attempts, again, fails }: NotFoundDeps,
): void {
  builder.node(
    'notFound',
    [
      { type: 'set', variable: attempts, value: `{{ ${attempts} + 1 }}` },
      { type: 'send', message: builder.standard(text) },
      { type: 'transition', when: `${attempts} < ${maxAttempts}`, to: again },
    ],
    fails,
  )
}

/** Adds the nodes after a word of cancelling, and after too many answers that cannot be read. */
export function addEndings(builder: DialogueBuilder): void {
  builder.node('cancelled', [{ type: 'send', message: builder.standard('cancelled') }])
  builder.node('givenUp', [{ type: 'send', message: builder.standard('givenUp') }])
}

/** Adds the node `notStored`, after the table has left out a row that is too large. */
export function addNotStored(builder: DialogueBuilder, next: string): void {
  builder.node(
    'notStored',
    [{ type: 'send', message: builder.standard('notStored') }],
    next,
  )
}
