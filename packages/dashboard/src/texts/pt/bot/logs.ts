import type { logs as English } from '../../en/bot/logs.ts'

export const logs: typeof English = {
  title: 'Logs',
  search: 'Buscar no texto',
  level: 'Nível',
  levels: {
    all: 'Todos',
    debug: 'Depuração',
    info: 'Informação',
    warn: 'Aviso',
    error: 'Erro',
  },
  conversation: 'Id da conversa',
  conversationHint: 'conv_…',
  range: 'Período',
  ranges: { hour: 'Última hora', day: 'Último dia', week: 'Última semana', all: 'Tudo' },
  empty: 'Nenhuma linha de log',
  emptyHint: 'As linhas que o bot escreve na saída aparecem aqui.',
  live: 'As linhas novas aparecem no topo.',
  time: 'Hora',
  line: 'Linha',
  trace: 'Rastro',
}
