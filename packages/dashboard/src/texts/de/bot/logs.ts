import type { logs as English } from '../../en/bot/logs.ts'

export const logs: typeof English = {
  title: 'Logs',
  search: 'Text suchen',
  level: 'Stufe',
  levels: { all: 'Alle', debug: 'Debug', info: 'Info', warn: 'Warnung', error: 'Fehler' },
  conversation: 'ID der Unterhaltung',
  conversationHint: 'conv_…',
  range: 'Zeit',
  ranges: {
    hour: 'Letzte Stunde',
    day: 'Letzter Tag',
    week: 'Letzte Woche',
    all: 'Alle',
  },
  empty: 'Keine Logzeilen',
  emptyHint: 'Hier erscheinen Zeilen, die der Bot ausgibt.',
  live: 'Neue Zeilen erscheinen oben.',
  time: 'Zeit',
  line: 'Zeile',
  trace: 'Trace',
}
