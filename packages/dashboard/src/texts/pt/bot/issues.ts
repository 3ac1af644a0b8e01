import type { issues as English } from '../../en/bot/issues.ts'
import { amount } from '../amount.ts'

export const issues: typeof English = {
  title: 'Problemas',
  status: 'Status',
  statuses: { open: 'Aberto', resolved: 'Resolvido', muted: 'Silenciado' },
  empty: 'Nenhum problema',
  emptyHint: 'Os erros do bot aparecem aqui, um problema para cada causa.',
  issue: 'Problema',
  count: 'Ocorrências',
  seen: 'Última vez',
  first: 'Primeira vez',
  resolve: 'Resolver',
  mute: 'Silenciar',
  reopen: 'Reabrir',
  changed: (status: string) => `O problema agora está “${status}”`,
  occurrences: 'Últimas ocorrências',
  resolvedByRedelivery:
    'Resolvido pelo servidor: todos os eventos foram reentregues e processados.',
  resolveHint:
    'Um problema resolvido reabre quando ocorre de novo. Um silenciado continua silenciado.',
  explanations: {
    event_refused:
      'O bot respondeu a um evento com um status de 400 a 499, por isso o servidor não tenta de ' +
      'novo. Bots com `@botpress/sdk` respondem assim quando o handler lança um erro. Corrija a ' +
      'causa e depois reentregue o evento na página Entregas.',
    register_failed:
      'Depois de cada implantação, o servidor chama o handler do bot com a operação `register`, ' +
      'para que o bot se prepare. Esta chamada falhou.',
    integration_not_registered:
      'Depois de uma instalação, uma nova configuração ou uma implantação, o servidor chama o ' +
      'handler da integração com a operação `register`, para que a integração se prepare, por ' +
      'exemplo definindo o webhook. Esta chamada falhou.',
  },
  trace: 'Rastro',
  logged: 'Erro no log da última ocorrência',
  conversation: 'Conversa',
  user: 'Usuário',
  stale: 'antes da última implantação',
  staleHint: (deployedAt: string) =>
    `Alguns problemas não ocorreram mais desde a implantação de ${deployedAt}.`,
  resolveStale: 'Resolver esses problemas',
  resolveStaleHint: 'Um problema que ocorre de novo reabre.',
  resolvedStale: (count: number) =>
    amount(count, 'problema resolvido', 'problemas resolvidos'),
}
