import type { PersonalDataKind } from '@botstead/contract'
import { inLanguage } from '../../in-language.ts'
import { amount } from '../amount.ts'

export const personalData = inLanguage('personalData', {
  title: 'Personal data',
  hint:
    'Everything that the server stores about this person. Erasing removes also logs, traces and table ' +
    'rows, which “Delete user” keeps.',
  export: 'Export data',
  erase: 'Erase …',
  eraseTitle: 'Erase the data of this person',
  eraseNow: 'Erase',
  eraseHint:
    'Erases the following everywhere. Also erases what arrives while the erasure runs. Messages of ' +
    'other people in conversations of several people stay. This cannot be undone.',
  confirmation: 'erase',
  wholePerson: (count: number) =>
    `Also ${amount(count, 'other user')} of the same person`,
  wholePersonHint: 'Otherwise this user is split from them first.',
  unsearchedTables:
    'Not searched, because no column of these tables is marked as ids of users. Mark one in the menu of ' +
    'the column, or check the rows yourself:',
  backups: 'These backups still contain the person:',
  erasing: 'Erasing …',
  erasingHint: 'The server continues also if you leave this page.',
  erased: 'The data was erased',
  erasedHint:
    'Keep the receipt: it proves the erasure, and repeats it after a backup is restored. The page Privacy ' +
    'lists and verifies all receipts.',
  returns:
    'If the person writes to the bot again, the server creates a new user, without the erased data.',
  download: 'Download receipt',
  kinds: {
    addresses: 'Addresses',
    recordings: 'Recordings of model calls',
    traces: 'Traces',
    deliveryAttempts: 'Failed attempts of deliveries',
    deadLetters: 'Failed deliveries',
    actionRuns: 'Runs of actions',
    logs: 'Log lines',
    observations: 'Traces of flows with their texts, and measurements by the bot’s code',
    issueEvents: 'Events of issues',
    issues: 'Issues without events of other people',
    modelCalls: 'Calls of models',
    notifications: 'Notifications of integrations',
    webhookRequests: 'Recorded webhook requests of the integration',
    storedResponses: 'Replies kept for repeated requests',
    rateCounters: 'Counters of rate limits',
    feedback: 'Feedback',
    notes: 'Notes',
    handoffs: 'Handoffs',
    broadcasts: 'Recipients of broadcasts',
    optOuts: 'Opt-outs of broadcasts',
    scheduledMessages: 'Scheduled messages',
    states: 'States',
    workflows: 'Workflows',
    files: 'Files',
    tableRows: 'Rows of tables',
    signals: 'Typing indicators and the like in chats',
    events: 'Events',
    messages: 'Messages',
    conversations: 'Conversations without other people',
    users: 'Users',
  } satisfies Record<PersonalDataKind, string>,
})
