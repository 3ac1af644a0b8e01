import type { logs as English } from '../../en/bot/logs.ts'

export const logs: typeof English = {
  title: 'Registros',
  search: 'Buscar en el texto',
  level: 'Nivel',
  levels: {
    all: 'Todos',
    debug: 'Depuración',
    info: 'Info',
    warn: 'Aviso',
    error: 'Error',
  },
  conversation: 'Id de conversación',
  conversationHint: 'conv_…',
  range: 'Hora',
  ranges: { hour: 'Última hora', day: 'Último día', week: 'Última semana', all: 'Todo' },
  empty: 'No hay líneas de registro',
  emptyHint: 'Las líneas que el bot escribe en su salida aparecen aquí.',
  live: 'Las líneas nuevas aparecen arriba.',
  time: 'Hora',
  line: 'Línea',
  trace: 'Traza',
}
