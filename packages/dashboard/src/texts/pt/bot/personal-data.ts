import type { personalData as English } from '../../en/bot/personal-data.ts'
import { amount } from '../amount.ts'

export const personalData: typeof English = {
  title: 'Dados pessoais',
  hint:
    'Tudo o que o servidor guarda sobre esta pessoa. Eliminar remove também logs, rastros e ' +
    'linhas de tabelas, que “Excluir usuário” mantém.',
  export: 'Exportar dados',
  erase: 'Eliminar…',
  eraseTitle: 'Eliminar os dados desta pessoa',
  eraseNow: 'Eliminar',
  eraseHint:
    'Elimina o que segue em todos os lugares, e também o que chegar durante a eliminação. As ' +
    'mensagens de outras pessoas em conversas de várias pessoas ficam. Não é possível desfazer.',
  confirmation: 'eliminar',
  wholePerson: (count: number) =>
    `Também ${amount(count, 'outro usuário', 'outros usuários')} da mesma pessoa`,
  wholePersonHint: 'Sem esta opção, este usuário é separado deles primeiro.',
  unsearchedTables:
    'Estas tabelas ficam de fora, porque nenhuma coluna delas está marcada como ids de usuários. ' +
    'Marque uma no menu da coluna ou verifique as linhas você mesmo:',
  backups: 'Estes backups ainda contêm dados da pessoa:',
  erasing: 'Eliminando…',
  erasingHint: 'O servidor continua mesmo que você saia desta página.',
  erased: 'Os dados foram eliminados',
  erasedHint:
    'Guarde o comprovante: ele comprova a eliminação e a repete depois que um backup é ' +
    'restaurado. A página Privacidade lista e verifica todos os comprovantes.',
  returns:
    'Se a pessoa escrever ao bot de novo, o servidor cria um novo usuário, sem os dados ' +
    'eliminados.',
  download: 'Baixar comprovante',
  kinds: {
    addresses: 'Endereços',
    recordings: 'Gravações de chamadas de modelos',
    traces: 'Rastros',
    deliveryAttempts: 'Tentativas de entrega que falharam',
    deadLetters: 'Entregas com falha',
    actionRuns: 'Execuções de ações',
    logs: 'Linhas de log',
    observations: 'Rastros de fluxos com seus textos, e medições pelo código do bot',
    issueEvents: 'Eventos de problemas',
    issues: 'Problemas sem eventos de outras pessoas',
    modelCalls: 'Chamadas de modelos',
    notifications: 'Notificações de integrações',
    webhookRequests: 'Requisições de webhook registradas da integração',
    storedResponses: 'Respostas guardadas para requisições repetidas',
    rateCounters: 'Contadores de limites de frequência',
    feedback: 'Avaliações',
    notes: 'Notas',
    handoffs: 'Atendimentos',
    broadcasts: 'Destinatários de transmissões',
    optOuts: 'Cancelamentos de transmissões',
    scheduledMessages: 'Mensagens agendadas',
    states: 'Estados',
    workflows: 'Fluxos de trabalho',
    files: 'Arquivos',
    tableRows: 'Linhas de tabelas',
    signals: 'Indicadores de digitação e semelhantes em chats',
    events: 'Eventos',
    messages: 'Mensagens',
    conversations: 'Conversas sem outras pessoas',
    users: 'Usuários',
  },
}
