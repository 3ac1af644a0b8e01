import type { privacy as English } from '../../en/bot/privacy.ts'
import { amount } from '../amount.ts'

export const privacy: typeof English = {
  title: 'Privacidade',
  retention: 'Retenção',
  retentionHint:
    'O servidor exclui os dados deste bot depois deste número de dias. Um campo vazio mantém os ' +
    'dados até ' +
    'o limite da instalação.',
  days: (days: number) => amount(days, 'dia'),
  inDays: (kind: string) => `${kind} (dias)`,
  limit: (days: number) => `No máximo ${amount(days, 'dia')} nesta instalação`,
  noLimit: 'Manter para sempre',
  save: 'Salvar…',
  saveTitle: 'Alterar a retenção',
  saveNow: 'Salvar e excluir',
  nothing:
    'Nada é mais antigo que isto agora. O servidor exclui os dados à medida que envelhecem.',
  deletes: 'O servidor vai excluir agora, em segundo plano:',
  inFlight:
    'Os dados em uso ficam: entregas pendentes, atendimentos abertos, fluxos de trabalho em ' +
    'execução e ' +
    'mensagens agendadas.',
  kinds: {
    conversations: 'Conversas',
    messages: 'Mensagens',
    events: 'Eventos',
    users: 'Usuários sem conversas',
    files: 'Arquivos de usuários',
    logs: 'Linhas de log',
    traces: 'Rastros',
    issues: 'Problemas',
    deadLetters: 'Entregas com falha',
    webhookRequests: 'Requisições de webhook registradas',
    recordings: 'Gravações de chamadas de modelos',
    tableRows: 'Linhas de tabelas de usuários',
  },
  hints: {
    conversations: 'Com mensagens, eventos e estados, depois da última atividade',
    messages: 'Por idade, também em conversas ativas',
    events: 'Por idade, também em conversas ativas',
    users: 'Com seus estados, depois da última alteração',
    files: 'Depois da última alteração',
    traces: 'Os passos do bot para cada mensagem, com medições e execuções de ações',
    issues: 'Depois do último evento',
    deadLetters: 'Eventos e mensagens que o servidor não conseguiu entregar',
    recordings: 'Se o servidor as grava, depois da última chamada com a mesma requisição',
    tableRows:
      'Com um usuário em uma coluna marcada como ids de usuários, depois da última alteração. ' +
      'Outras linhas ficam',
  },
  redaction: {
    title: 'Mascaramento',
    hint:
      'Em dados novos, o servidor substitui o que encontra. Armazenamento: mensagens de pessoas, ' +
      'eventos, atendimentos, comentários de avaliações e dados de visitantes; o bot também ' +
      'recebe o texto substituído. Logs: também rastros e problemas. Modelos: prompts. Se um ' +
      'padrão próprio demora demais em um texto, o servidor substitui o texto inteiro, e um ' +
      'problema informa o padrão.',
    storageEffect:
      'Os bots recebem o texto substituído: se um bot pergunta por esses dados, nunca os recebe.',
    asksFor: (questions: string[]) =>
      `Este bot pede esses dados: ${questions.map((question) => `“${question}”`).join(', ')}.`,
    installation: (kinds: string[]) =>
      `Para todos os bots desta instalação: ${kinds.join(', ')}`,
    kinds: {
      email: 'E-mails',
      phone: 'Telefones',
      card: 'Números de cartão',
      iban: 'IBANs',
      custom: 'Padrão próprio',
    },
    places: { storage: 'Armazenamento', logs: 'Logs', models: 'Modelos' },
    where: 'lugares',
    pattern: 'Padrão',
    replacement: 'Substituto',
    add: 'Adicionar padrão',
    remove: 'Remover',
    try: 'Testar um texto',
    tryHint: 'O texto não é guardado.',
    show: 'Mostrar o que encontra',
    noMatch: 'Nada encontrado.',
  },
  count: 'Contar o que seria excluído',
  erasures: {
    title: 'Eliminações',
    hint:
      'Cada eliminação de uma pessoa tem um comprovante assinado pelo servidor. Ele comprova a ' +
      'eliminação e não contém dados pessoais.',
    none: 'Ninguém eliminou os dados de uma pessoa ainda.',
    erased: 'eliminados',
    running: 'em andamento, iniciada',
    verify: 'Verificar',
    verifyOf: (user: string) => `Verificar o comprovante de ${user}`,
    verifyFile: 'Verificar um arquivo de comprovante',
    download: 'Baixar',
    downloadOf: (user: string) => `Baixar o comprovante de ${user}`,
    valid: 'Válido: este servidor assinou o comprovante, e ele está inalterado.',
    of: (user: string) => `Dados eliminados de ${user}:`,
    reasons: {
      MALFORMED: 'Inválido: isto não é um comprovante de eliminação.',
      MODIFIED: 'Inválido: o comprovante foi alterado depois da assinatura.',
      OTHER_SIGNER: 'Inválido: outro servidor assinou o comprovante.',
    },
  },
  people: 'Dados de uma pessoa',
  peopleHint: 'Abra um usuário para exportar ou eliminar tudo sobre esta pessoa.',
  peopleReadOnly:
    'Abra um usuário para ver os dados desta pessoa. Desenvolvedores, gerentes, administradores ' +
    'e proprietários do espaço de trabalho podem exportar ou eliminar tudo ali.',
  toUsers: 'Escolher um usuário',
  byMessage: (link: string) =>
    'Visitantes muitas vezes não têm nome. Para encontrar uma pessoa por uma mensagem, por ' +
    `exemplo por um e-mail, use “${link}”.`,
  toMessages: 'Buscar mensagens',
}
