import type { installation as English } from '../en/installation.ts'
import { amount, thousands } from './amount.ts'

export const installation: typeof English = {
  title: 'Instalação',
  servers: 'Servidores',
  server: 'Servidor',
  process: (pid: number, id: string) => `processo ${pid}, ${id}`,
  started: 'Início',
  state: 'Status',
  stateHint:
    'Cada servidor dá sinal a cada poucos segundos. Se um para, os outros assumem as conversas e ' +
    'tarefas dele.',
  alive: 'Em execução',
  dead: 'Sem resposta',
  queue: 'Fila',
  pending: 'Entregas pendentes',
  lanes: 'Conversas em processamento',
  oldest: 'Entrega mais antiga',
  seconds: (seconds: number) => `${Math.round(seconds)} s`,
  deadLetters: 'Entregas com falha',
  database: 'Banco de dados',
  size: 'Tamanho',
  table: 'Tabela',
  rows: 'Linhas (estimativa)',
  allTables: (count: number) => `Mostrar todas as ${thousands(count)} tabelas`,
  notCounted: 'ainda não contadas',
  megabytes: (bytes: number) =>
    `${(bytes / 1_000_000).toLocaleString('pt-BR', {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    })}\u00a0MB`,
  checks: 'Verificações',
  runChecks: 'Executar verificações',
  checksHint: 'As mesmas do comando `botstead doctor`. Levam alguns segundos.',
  passed: (count: number) =>
    amount(count, 'verificação sem erros', 'verificações sem erros'),
  states: { bad: 'Erro', advice: 'Recomendação' },
  settings: 'Configurações',
  settingsHint:
    'Variáveis de ambiente do servidor. Aqui são somente leitura: para alterar uma, pare o ' +
    'servidor, defina a variável (por exemplo, `BOTSTEAD_PORT=8080 npm start`) e inicie-o de ' +
    'novo. As que você pode alterar no navegador estão na página “Configurações do servidor”.',
  searchSettings: 'Buscar configurações',
  noSetting: 'Nenhuma configuração contém estas palavras.',
  groups: {
    server: 'Servidor e endereços',
    storage: 'Dados e backups',
    security: 'Acesso e chaves',
    retention: 'Retenção',
    code: 'Código hospedado',
    models: 'Modelos',
    limits: 'Limites',
  },
  notSet: 'não definida',
  unlimited: 'sem limite',
  on: 'ativado',
  off: 'desativado',
  days: (days: number) => amount(days, 'dia'),
  hours: (hours: number) => amount(hours, 'hora'),
  perSecond: (count: string) => `${count} por segundo`,
  perMinute: (count: string) => `${count} por minuto`,
  characters: (count: string) => `${count} caracteres`,
}
