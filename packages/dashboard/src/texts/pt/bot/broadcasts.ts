import type { broadcasts as English } from '../../en/bot/broadcasts.ts'
import { amount, thousands } from '../amount.ts'

export const broadcasts: typeof English = {
  title: 'Transmissões',
  hint:
    'Uma mensagem para muitas pessoas. Cada pessoa a recebe uma vez; quem escreveu STOP não ' +
    'recebe nenhuma.',
  add: 'Nova transmissão',
  empty: 'Nenhuma transmissão',
  emptyHint:
    'Escreva uma mensagem para as pessoas de um canal, de uma tag ou de uma tabela.',
  name: 'Nome',
  channel: 'Canal',
  integration: 'Integração',
  state: 'Status',
  states: {
    scheduled: 'Agendada',
    resolving: 'Listando destinatários',
    sending: 'Enviando',
    stopped: 'Parada',
    done: 'Concluída',
    failed: 'Falhou',
  },
  startAt: 'Início',
  startAtHint: 'Vazio: agora. No seu fuso horário.',
  text: 'Mensagem',
  textHint:
    'Variáveis: {{ user.tags.city }}, com um valor padrão {{ user.name ?? "cliente" }}, de uma ' +
    'linha {{ row.city }}. Pessoas sem o valor não recebem a mensagem. Outros tipos de mensagem: ' +
    'pela API ou pela linha de comando.',
  userTags: 'Só usuários com as tags',
  conversationTags: 'Só conversas com as tags',
  tagsHint: 'nome=valor; Enter depois de cada uma',
  invalidTag: (tag: string) => `“${tag}” não tem a forma nome=valor`,
  table: 'Só pessoas de uma tabela',
  tableHint: 'Nome da tabela',
  column: 'Coluna com ids de usuários ou conversas',
  perMinute: 'Mensagens por minuto',
  hasQuietHours: 'Horário de silêncio',
  quietHint: 'Nenhuma mensagem é enviada neste horário.',
  from: 'De',
  to: 'Até',
  timezone: 'Fuso horário',
  timezoneTag: 'Tag dos usuários com o fuso horário',
  create: 'Enviar',
  createHint: 'Envia às pessoas na hora ou no início definido.',
  preview: 'Simular',
  previewResult: (recipients: number, skipped: number) =>
    `Receberiam a mensagem: ${amount(recipients, 'pessoa')}. Ficariam de fora: ` +
    `${thousands(skipped)}`,
  atLeast: 'Contagem de 20 segundos: há mais.',
  examples: 'Primeiras mensagens',
  stop: 'Parar',
  stopped: 'A transmissão parou',
  resume: 'Continuar',
  resumed: 'A transmissão continua',
  delete: 'Excluir',
  deleteEffect: (name: string) =>
    `Exclui “${name}” e o relatório. As mensagens ficam nas conversas.`,
  export: 'Baixar CSV',
  file: 'destinatarios.csv',
  progress: (done: number, total: number) => `${thousands(done)} de ${thousands(total)}`,
  progressLabel: 'Progresso',
  report: 'Relatório',
  recipients: 'Destinatários',
  noRecipients: 'Nenhum destinatário',
  noRecipientsHint: 'O servidor lista os destinatários quando a transmissão começa.',
  user: 'Usuário',
  reason: 'Motivo',
  sentAt: 'Envio',
  conversation: 'Conversa',
  unknownRows: (count: number) =>
    `Linhas da tabela sem usuário nem conversa: ${thousands(count)}`,
  recipientStates: {
    waiting: 'Aguardando',
    sending: 'A caminho',
    sent: 'Enviada',
    delivered: 'Entregue',
    read: 'Lida',
    failed: 'Falhou',
    skipped: 'De fora',
  },
  reasons: {
    opted_out: 'não quer receber transmissões',
    no_conversation: 'sem conversa no canal',
    missing_variable: 'uma variável não tem valor',
    too_long: 'a mensagem é longa demais',
    deleted: 'a conversa foi excluída',
    rejected: 'a mensagem foi rejeitada',
    not_delivered: 'o canal não a aceitou',
  },
}
