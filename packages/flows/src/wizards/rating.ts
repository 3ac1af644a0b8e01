// Makes a question of satisfaction, from 1 to 5.
import type { KnownTable, RatingAnswers } from './answers.ts'
import type { DialogueBuilder } from './builder.ts'
import { addNotStored, addOffer, addPerson } from './endings.ts'
import { type StoredPart, toStoreCards, useTable } from './tables.ts'
import { expression, joined, standard, written } from './text.ts'

/** Of a comment. The server stores rows of at most 4 KB. */
const maxCharacters = 600

export function addRating(
  builder: DialogueBuilder,
  answers: RatingAnswers,
  known: KnownTable[],
): void {
  const { asksComment, lowUpTo, table: choice, title, afterHandoff } = answers
  const rating = builder.variable('rating', 'string')
  const comment = asksComment ? builder.variable('comment', 'string') : undefined
  addRatingQuestion(builder, answers, rating)
  if (comment !== undefined)
    builder.node(
      'askComment',
      [
        {
          type: 'capture',
          kind: 'text',
          question: builder.standard('optional', { question: standard('askComment') }),
          into: comment,
          max: maxCharacters,
          cancelWords: builder.words('skipWords'),
        },
      ],
      'store',
    )
  const parts = listRatingParts(rating, comment)
  const table = useTable(builder, { choice, parts, known })
  builder.node('store', [
    ...toStoreCards(builder, table),
    { type: 'send', message: builder.standard('thanksRating') },
    ...(lowUpTo > 0
      ? [
          {
            type: 'transition',
            when: `Number(${rating}) <= ${lowUpTo}`,
            to: 'offerPerson',
          },
        ]
      : []),
  ])
  if (table !== null) addNotStored(builder, asksComment ? 'askComment' : 'noRating')
  if (lowUpTo > 0) {
    addOffer(builder, 'lowRating')
    const said = [
      expression(rating),
      ...(comment ? [expression(`${comment} ?? ""`)] : []),
    ]
    addPerson(builder, title, joined(said, '\n'))
  }
  builder.node('noRating', [{ type: 'send', message: builder.standard('noPerson') }])
  if (afterHandoff)
    builder.insert('triggers', `${builder.flow}AfterHandoff`, {
      type: 'event',
      event: 'handoff_closed',
      flow: builder.flow,
    })
}

/** Parts of the table of ratings. */
export const listRatingParts = (
  rating: string,
  comment: string | undefined,
): StoredPart[] => [
  {
    id: 'rating',
    name: 'rating',
    column: { type: 'number' },
    value: `Number(${rating})`,
  },
  ...(comment !== undefined
    ? [{ id: 'comment', name: 'comment', column: { type: 'string' }, value: comment }]
    : []),
]

function addRatingQuestion(
  builder: DialogueBuilder,
  { question, asksComment }: RatingAnswers,
  rating: string,
) {
  builder.node(
    'askRating',
    [
      {
        type: 'capture',
        kind: 'singleChoice',
        question: builder.say(written(question, builder.language)),
        options: ['1', '2', '3', '4', '5'].map((value) => ({
          label: builder.say(() => value),
          value,
        })),
        into: rating,
        cancelWords: [...builder.words('cancelWords'), ...builder.words('skipWords')],
        onCancel: 'noRating',
        onFail: 'noRating',
      },
    ],
    asksComment ? 'askComment' : 'store',
  )
}
