// Parts of bots of Botpress 12.
import type { SupportedKinds } from '../support.ts'

export const botpressKinds: SupportedKinds = {
  flow: { becomes: 'a flow', result: 'carried' },
  node: { becomes: 'a node, with transitions for its conditions', result: 'carried' },
  say: { becomes: '`send`, with translations', result: 'carried' },
  wait: { becomes: '`capture` of kind `raw`', result: 'carried' },
  'skill choice': { becomes: '`capture` of a choice', result: 'carried' },
  'skill Slot': { becomes: '`capture` of the kind of its entity', result: 'carried' },
  'skill CallAPI': { becomes: '`code` with `axios`', result: 'carried' },
  'other skill': {
    becomes: '`callFlow` of the flow of the skill',
    result: 'changed',
    note: 'Actions of the skill are not carried: see its flow',
  },
  'set variable': { becomes: '`set`', result: 'carried' },
  'built-in action': {
    becomes: '`code` or nothing',
    result: 'carried',
  },
  'module action': {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Write it as a `code` card, or use an action of an integration',
  },
  action: {
    becomes: '`code`',
    result: 'carried',
    note: 'Actions that use `bp` or load packages become a comment',
  },
  intent: { becomes: 'a description in `aiTransition`', result: 'carried' },
  'intent without use': {
    becomes: 'nothing',
    result: 'omitted',
    note: 'No condition uses it. Add it to an `aiTransition` if you need it',
  },
  entity: {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Ask for the value with a `capture` of a choice, or extract it with `aiTask`',
  },
  qna: {
    becomes: 'a text in the knowledge base `qna`, and the card `answer`',
    result: 'changed',
    note: 'Upload the file of questions and answers, which comes with the report, to the knowledge base',
  },
  hook: {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Write it as a hook of the document',
  },
}
