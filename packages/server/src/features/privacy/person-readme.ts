// The first file of an exported archive explains the others to the person whose data it contains.
import type { PersonalDataKind } from '@botstead/contract'

/** Kinds of data in an archive; `participations`: in which conversations the person takes part. */
type ExportedKind = PersonalDataKind | 'participations'

const descriptions: Record<ExportedKind, string> = {
  users: 'who you are to the bot: name, picture, tags and attributes',
  addresses: 'addresses under which you wrote, and how they were verified',
  conversations: 'conversations without other people',
  participations: 'the conversations in which you take part',
  messages: 'the messages of your conversations',
  files: 'names and sizes of your files; their contents are in the folder contents',
  states: 'what the bot remembers about you',
  tableRows: 'rows about you in the tables of the bot',
  handoffs: 'conversations in which a person helped you',
  broadcasts: 'messages to many people that you got, or are going to get',
  optOuts: 'where you want no messages to many people',
  notes: 'notes of the people who helped you',
  feedback: 'your opinions about answers',
  scheduledMessages: 'messages that the bot is going to send you',
  workflows: 'longer tasks of the bot for you',
  events: 'what happened in your conversations, as the bot received it',
  signals: 'typing indicators and the like',
  traces: 'steps of the bot while it answered you',
  logs: 'lines that the bot logged while it answered you',
  observations:
    'steps of the bot with their texts, and its measurements about your conversations',
  actionRuns: 'actions that the bot performed for you',
  modelCalls: 'requests to language models, with their cost',
  recordings: 'texts of requests to language models and their answers',
  issueEvents: 'failures of the bot in your conversations',
  issues: 'failures that happened in your conversations only',
  deadLetters: 'events that the bot could not handle',
  deliveryAttempts: 'failed attempts to deliver events to the bot',
  notifications: 'notifications of the channel through which you write',
  webhookRequests: 'requests of the channel through which you write',
  storedResponses: 'responses of the server, kept for requests that are repeated',
  rateCounters: 'how much you sent within the last hour',
}

/** Returns a text in plain words. `exportedAt` is a time in ISO format. */
export function readmeFor(exportedAt: string): string {
  const files = Object.entries(descriptions).map(
    ([kind, text]) => `${kind}.jsonl: ${text}`,
  )
  return `Your data
=========

This archive contains everything that the server stored about you at ${exportedAt}. Files with the
ending .jsonl have one entry per line; any text editor opens them. Long lists continue in files with
a number, such as messages-2.jsonl. A kind without entries has no file.

${files.join('\n')}
export.json: when this archive was made, and your id

If you write through several channels, the folder users has the same files for each other one.
`
}
