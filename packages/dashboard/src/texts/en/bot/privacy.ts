import type { RedactionKind, RedactionPlace, RetentionKind } from '@botstead/contract'
import { inLanguage } from '../../in-language.ts'
import { amount } from '../amount.ts'

export const privacy = inLanguage('privacy', {
  title: 'Privacy',
  retention: 'Retention',
  retentionHint:
    'The server deletes data of this bot after these days. An empty field keeps the data, up to the ' +
    'limit of the installation.',
  days: (days: number) => amount(days, 'day'),
  inDays: (kind: string) => `${kind} (days)`,
  limit: (days: number) => `At most ${amount(days, 'day')} on this installation`,
  noLimit: 'Keep forever',
  save: 'Save…',
  saveTitle: 'Change the retention',
  saveNow: 'Save and delete',
  nothing: 'Nothing is older than this now. The server deletes data as it becomes older.',
  deletes: 'The server will delete now, in the background:',
  inFlight:
    'Data that is in use stays: pending deliveries, open handoffs, running workflows, scheduled messages.',
  kinds: {
    conversations: 'Conversations',
    messages: 'Messages',
    events: 'Events',
    users: 'Users without conversations',
    files: 'Files of users',
    logs: 'Log lines',
    traces: 'Traces',
    issues: 'Issues',
    deadLetters: 'Failed deliveries',
    webhookRequests: 'Recorded webhook requests',
    recordings: 'Recordings of model calls',
    tableRows: 'Table rows of users',
  } satisfies Record<RetentionKind, string>,
  hints: {
    conversations: 'With messages, events and states, after the last activity',
    messages: 'By age, also in active conversations',
    events: 'By age, also in active conversations',
    users: 'With their states, after their last change',
    files: 'After their last change',
    traces: 'The bot’s steps for each message, with measurements and runs of actions',
    issues: 'After their last event',
    deadLetters: 'Events and messages that the server could not deliver',
    recordings: 'If the server records them, after the last call with the same request',
    tableRows:
      'With a user in a column that is marked as ids of users, after their last change. Other rows stay',
  } as Partial<Record<RetentionKind, string>>,
  redaction: {
    title: 'Redaction',
    hint:
      'The server replaces matches in new data. Storage: messages of people, events, handoffs, comments ' +
      'of feedback and data of visitors; the bot then gets the replaced text, too. Logs: also traces ' +
      'and issues. Models: prompts. If an own pattern needs too long for a text, the server replaces the ' +
      'whole text, and an issue names the pattern.',
    storageEffect:
      'Bots receive the replaced text: a question of the bot for such data is then never answered.',
    asksFor: (questions: string[]) =>
      `This bot asks for it: ${questions.map((question) => `“${question}”`).join(', ')}.`,
    installation: (kinds: string[]) =>
      `For all bots of this installation: ${kinds.join(', ')}`,
    kinds: {
      email: 'E-mail addresses',
      phone: 'Phone numbers',
      card: 'Card numbers',
      iban: 'IBANs',
      custom: 'Own pattern',
    } satisfies Record<RedactionKind, string>,
    places: { storage: 'Storage', logs: 'Logs', models: 'Models' } satisfies Record<
      RedactionPlace,
      string
    >,
    where: 'places',
    pattern: 'Pattern',
    replacement: 'Replacement',
    add: 'Add a pattern',
    remove: 'Remove',
    try: 'Try a text',
    tryHint: 'The text is not stored.',
    show: 'Show matches',
    noMatch: 'Nothing matches.',
  },
  count: 'Count what would be deleted',
  erasures: {
    title: 'Erasures',
    hint:
      'Each erasure of a person has a receipt that the server signed. It proves the erasure, and contains ' +
      'no personal data.',
    none: 'Nobody has erased the data of a person yet.',
    erased: 'erased',
    running: 'running, started',
    verify: 'Verify',
    verifyOf: (user: string) => `Verify the receipt of ${user}`,
    verifyFile: 'Verify a receipt file',
    download: 'Download',
    downloadOf: (user: string) => `Download the receipt of ${user}`,
    valid: 'Valid: this server signed the receipt, and it is unchanged.',
    of: (user: string) => `Erased data of ${user}:`,
    reasons: {
      MALFORMED: 'Not valid: this is no receipt of an erasure.',
      MODIFIED: 'Not valid: the receipt was changed after it was signed.',
      OTHER_SIGNER: 'Not valid: another server signed the receipt.',
    },
  },
  people: 'Data of one person',
  peopleHint: 'Open a user to export or erase everything about this person.',
  peopleReadOnly:
    'Open a user to see the data of this person. Developers, managers, administrators and owners of ' +
    'the workspace can export or erase everything there.',
  toUsers: 'Choose a user',
  byMessage: (link: string) =>
    'Visitors often have no name. To find a person by a message, for example by an e-mail address, ' +
    `use ${link}.`,
  toMessages: 'Search messages',
})
