import type { bot as English } from '../../en/bot/bot.ts'
import { amount, thousands } from '../amount.ts'

export const bot: typeof English = {
  range: 'Período',
  newUsers: 'Novos usuários',
  returning: (count: number) =>
    `${amount(count, 'usuário que voltou', 'usuários que voltaram')}. Sem contar os membros`,
  sessions: 'Sessões',
  sessionsHint: 'Conta também os membros',
  messages: 'Mensagens',
  split: (user: number, bot: number) =>
    `Recebidas: ${thousands(user)}; enviadas: ${thousands(bot)}. Conta também os membros`,
  failures: 'Falhas',
  failuresHint: 'Eventos e mensagens deste período que falharam e não foram reentregues',
  cost: 'Custo de modelos',
  calls: (count: number) => `${amount(count, 'chamada')}, em dólares`,
  perDay: 'Mensagens por dia',
  received: 'Recebidas',
  sent: 'Enviadas',
  noMessages: 'Nenhuma mensagem neste período',
  issues: 'Problemas abertos',
  noIssues: 'Nenhum problema aberto',
  occurrences: (count: number) => amount(count, 'vez', 'vezes'),
  deployment: 'Implantação',
  deployedAt: 'Implantado',
  loadError: 'O código não carrega',
  notDeployed: 'Este bot ainda não tem código',
  notDeployedHint: (page: string) => `Implante arquivos ou uma versão na página ${page}.`,
  notDeployedViewer: (page: string) =>
    `Um membro que pode alterar o bot faz a implantação na página ${page}.`,
  atUrl: 'Este bot roda em uma URL.',
  allIssues: 'Todos os problemas',
  allVersions: 'Todas as versões',
  deployments: 'Implantações',
  noVersions: 'Nenhuma versão ainda',
  isRunning: 'em execução',
  handoffs: {
    title: 'Atendimentos',
    inbox: 'Caixa de entrada',
    firstAnswer: 'Até a primeira resposta de uma pessoa',
    solution: 'Até a solução',
    return: 'Até o bot continuar',
    none: 'nenhum',
    within: (duration: string, count: number) =>
      `Mediana de ${amount(count, 'atendimento')}; 95% em até ${duration}`,
  },
}
