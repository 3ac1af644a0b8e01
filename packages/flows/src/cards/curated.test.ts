// The card `answer` and curated answers, which come before the documents and the model.
import { beforeEach, expect, test } from 'vitest'
import { model, openBot, resetModel } from '../../test/model-bot.ts'

beforeEach(resetModel)

const hours = {
  id: 'answer_1',
  question: 'When are you open?',
  text: 'From 9 to 5.',
  buttons: [],
}
const metadata = { curatedAnswer: { id: 'answer_1', question: 'When are you open?' } }

test('sends a curated answer without a search and without a model, and says so', async () => {
  model.curated = hours
  model.passages = [{ content: 'Other', score: 1 }]
  const bot = openBot([{ type: 'answer' }])
  expect(await bot.say('when open?')).toEqual(['From 9 to 5.'])
  expect(bot.server.sent[0]!.payload.metadata).toEqual(metadata)
  expect(model.searches).toEqual([])
  expect(model.requests).toEqual([])
  expect(model.asked).toEqual([{ question: 'when open?', knowledgeBases: ['docs'] }])
  expect(bot.state.trace.steps).toContainEqual(
    expect.objectContaining({
      kind: 'note',
      text: 'answered by a curated answer: answer_1 (“When are you open?”)',
      curatedAnswer: metadata.curatedAnswer,
    }),
  )
})

test('sends the picture, the text with its buttons, and no part of it as a template', async () => {
  const buttons = [{ label: 'Yes' }, { label: 'No', value: 'I do not' }]
  const text = 'Costs {{ 1 + 1 }}. Order?'
  model.curated = { ...hours, text, buttons, imageUrl: 'https://ok.test/a.png' }
  const bot = openBot([{ type: 'answer' }])
  await bot.say('x')
  expect(bot.server.sent.map(({ type, payload }) => ({ type, ...payload }))).toEqual([
    { type: 'image', imageUrl: 'https://ok.test/a.png' },
    {
      type: 'choice',
      text,
      options: [
        { label: 'Yes', value: 'Yes' },
        { label: 'No', value: 'I do not' },
      ],
      metadata,
    },
  ])
})

test('stores a curated answer into the variable of the card', async () => {
  model.curated = hours
  const said = {
    type: 'send',
    message: '{{ workflow.any.answer }} {{ workflow.any.citations.length }}',
  }
  expect(
    await openBot([{ type: 'answer', into: 'workflow.any' }, said]).say('x'),
  ).toEqual(['From 9 to 5. 0'])
})

test('asks for answers of the knowledge bases of the card', async () => {
  await openBot([{ type: 'answer', knowledgeBases: ['docs'] }]).say('x')
  await openBot([{ type: 'answer', tags: { topic: 'a' } }]).say('x')
  expect(model.asked.map(({ knowledgeBases }) => knowledgeBases)).toEqual([['docs'], []])
})

test('a miss names its question if it is not the message', async () => {
  const bot = openBot([{ type: 'answer', question: 'about {{ event.preview }}' }])
  await bot.say('x')
  const metadata = { unanswered: true, question: 'about x' }
  expect(bot.server.sent[0]!.payload.metadata).toEqual(metadata)
})
