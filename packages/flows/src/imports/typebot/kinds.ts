// Blocks of Typebot.
import type { SupportedKinds } from '../support.ts'

const integration = 'Use an action of an integration, or an HTTP request in a `code` card'

export const typebotKinds: SupportedKinds = {
  start: { becomes: 'the first node of `main`', result: 'carried' },
  text: { becomes: '`send`, or the question of the next `capture`', result: 'carried' },
  image: { becomes: '`send` of an image', result: 'carried' },
  video: { becomes: '`send` of a video or a link', result: 'carried' },
  audio: { becomes: '`send` of an audio file', result: 'carried' },
  location: { becomes: '`send` of a location', result: 'carried' },
  embed: {
    becomes: '`send` of a link',
    result: 'changed',
    note: 'The page is a link: messengers show no frames',
  },
  'text input': { becomes: '`capture` of kind `raw`', result: 'carried' },
  'number input': { becomes: '`capture` of kind `number`', result: 'carried' },
  'email input': { becomes: '`capture` of kind `email`', result: 'carried' },
  'url input': { becomes: '`capture` of kind `url`', result: 'carried' },
  'date input': { becomes: '`capture` of kind `date`', result: 'carried' },
  'time input': { becomes: '`capture` of kind `regex`', result: 'carried' },
  'phone number input': { becomes: '`capture` of kind `phone`', result: 'carried' },
  'choice input': {
    becomes: '`capture` of a choice, and transitions',
    result: 'carried',
  },
  'picture choice input': {
    becomes: '`capture` of a choice, and transitions',
    result: 'changed',
    note: 'The choices are buttons with the titles. The pictures are sent before them',
  },
  'rating input': {
    becomes: '`capture` of a choice: its numbers or stars',
    result: 'carried',
  },
  'file input': { becomes: '`capture` of kind `file`', result: 'carried' },
  'cards input': {
    becomes: '`capture` of a choice, and transitions',
    result: 'changed',
    note: 'Each button of each card is a choice. The pictures are sent before them',
  },
  'otp input': {
    becomes: '`capture` of kind `regex`',
    result: 'changed',
    note: 'The bot accepts any code of digits: compare it in a `transition`',
  },
  'payment input': {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Send a link to a payment page of your provider, and wait for its event with `waitForEvent`',
  },
  'Set variable': { becomes: '`set` or `code`', result: 'carried' },
  Condition: { becomes: '`transition`', result: 'carried' },
  Redirect: {
    becomes: '`send` of a link',
    result: 'changed',
    note: 'The user gets the link, because a message cannot open a page',
  },
  Code: {
    becomes: '`code`',
    result: 'carried',
    note: 'It runs on the server. Code for browsers becomes a comment',
  },
  'Typebot link': {
    becomes: '`goTo`',
    result: 'changed',
    note: 'Only links inside of the bot are carried. Import the other bot, and add its flows',
  },
  Wait: { becomes: '`code` that waits', result: 'carried' },
  'AB test': { becomes: '`transition`', result: 'carried' },
  webhook: {
    becomes: '`waitForEvent`',
    result: 'changed',
    note: 'Send the event `webhook` with `createEvent` to continue the conversation',
  },
  Jump: { becomes: '`goTo`', result: 'carried' },
  Return: {
    becomes: 'the end of the node',
    result: 'changed',
    note: 'The flow ends here. To return, make the other part a flow and use `callFlow`',
  },
  Loop: {
    becomes: '`transition` with a counter',
    result: 'carried',
  },
  Webhook: { becomes: '`code` with `axios`', result: 'carried' },
  Zapier: { becomes: '`code` with `axios`', result: 'carried' },
  'Make.com': { becomes: '`code` with `axios`', result: 'carried' },
  Pabbly: { becomes: '`code` with `axios`', result: 'carried' },
  OpenAI: { becomes: '`aiText`', result: 'carried' },
  'chat completion of a model': { becomes: '`aiText`', result: 'carried' },
  'Google Sheets': {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Import the sheet as a table, and use `table` cards',
  },
  Email: {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Connect the channel E-mail, or call an action that sends e-mails',
  },
  Chatwoot: {
    becomes: '`handoff`',
    result: 'changed',
    note: 'The conversation is handed over to people in the inbox of the dashboard',
  },
  'Google Analytics': { becomes: 'a comment', result: 'omitted', note: integration },
  Pixel: { becomes: 'a comment', result: 'omitted', note: integration },
}
