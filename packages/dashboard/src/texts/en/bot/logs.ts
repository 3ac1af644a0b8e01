import { inLanguage } from '../../in-language.ts'

export const logs = inLanguage('logs', {
  title: 'Logs',
  search: 'Search the text',
  level: 'Level',
  levels: { all: 'All', debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
  conversation: 'Conversation id',
  conversationHint: 'conv_…',
  range: 'Time',
  ranges: { hour: 'Last hour', day: 'Last day', week: 'Last week', all: 'All' },
  empty: 'No log lines',
  emptyHint: 'Lines that the bot writes to its output appear here.',
  live: 'New lines appear at the top.',
  time: 'Time',
  line: 'Line',
  trace: 'Trace',
})
