// Steps of Voiceflow.
import type { SupportedKinds } from '../support.ts'

const other = 'Build it with an action of an integration, or a `code` card'

export const voiceflowKinds: SupportedKinds = {
  start: { becomes: 'the first node of its flow', result: 'carried' },
  text: { becomes: '`send`; one of several texts at random', result: 'carried' },
  speak: { becomes: '`send` of the words', result: 'carried' },
  message: { becomes: '`send`', result: 'carried' },
  image: { becomes: '`send` of an image', result: 'carried' },
  visual: { becomes: '`send` of an image', result: 'carried' },
  stream: { becomes: '`send` of an audio file', result: 'carried' },
  url: {
    becomes: '`send` of a link',
    result: 'changed',
    note: 'The user gets the link, because a message cannot open a page',
  },
  card: { becomes: '`send` of a card', result: 'carried' },
  cardV2: {
    becomes: '`send` of a card, and a `capture` of its buttons',
    result: 'carried',
  },
  carousel: {
    becomes: '`send` of a carousel, and a `capture` of its buttons',
    result: 'carried',
  },
  buttons: { becomes: '`capture` of a choice, and transitions', result: 'carried' },
  interaction: {
    becomes: '`capture`, and `aiTransition` with the intents',
    result: 'carried',
  },
  prompt: { becomes: '`capture` of kind `raw`', result: 'carried' },
  capture: { becomes: '`capture` of kind `raw`', result: 'carried' },
  captureV2: { becomes: '`capture` of the kind of each entity', result: 'carried' },
  ai_capture: {
    becomes: '`capture`, and `aiTask`',
    result: 'changed',
    note: 'It asks once: repeat it if values are missing',
  },
  set: { becomes: '`set`', result: 'carried' },
  setV2: { becomes: '`set`', result: 'carried' },
  ai_set: { becomes: '`aiText`', result: 'carried' },
  if: { becomes: '`transition`', result: 'carried' },
  ifV2: { becomes: '`transition`', result: 'carried' },
  random: { becomes: '`transition`', result: 'carried' },
  randomV2: { becomes: '`transition`', result: 'carried' },
  code: {
    becomes: '`code`',
    result: 'carried',
    note: 'Code that loads packages or calls `fetch` becomes a comment',
  },
  api: { becomes: '`code` with `axios`', result: 'carried' },
  integrations: { becomes: '`code` with `axios` for requests', result: 'carried' },
  generative: {
    becomes: '`aiText`, or `answer` from the knowledge base',
    result: 'carried',
  },
  flow: { becomes: '`callFlow`', result: 'carried' },
  component: { becomes: '`callFlow`', result: 'carried' },
  goToNode: { becomes: '`goTo`', result: 'carried' },
  goToDomain: {
    becomes: '`goTo`',
    result: 'changed',
    note: 'Domains are not carried: choose the flow',
  },
  intent: {
    becomes: '`aiTransition` at the start of `main`',
    result: 'changed',
    note: 'It is recognized when no flow waits for an answer',
  },
  command: {
    becomes: '`aiTransition` at the start of `main`',
    result: 'changed',
    note: 'It is recognized when no flow waits for an answer',
  },
  exit: { becomes: 'a node of type `end`', result: 'carried' },
  trace: {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Custom actions belong to your own program: use an action of the bot',
  },
  channel_action: { becomes: 'a comment', result: 'omitted', note: other },
  custom_block_pointer: { becomes: 'a comment', result: 'omitted', note: other },
  directive: { becomes: 'a comment', result: 'omitted', note: other },
  google_sheets: {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Import the sheet as a table, and use `table` cards',
  },
  zapier: { becomes: 'a comment', result: 'omitted', note: other },
}
