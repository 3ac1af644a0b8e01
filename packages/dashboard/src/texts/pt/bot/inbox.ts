import type { inbox as English } from '../../en/bot/inbox.ts'

export const inbox: typeof English = {
  title: 'Caixa de entrada',
  list: 'Atendimentos',
  which: 'Quais atendimentos',
  lists: { waiting: 'Aguardando', mine: 'Meus', open: 'Abertos', closed: 'Encerrados' },
  counted: (name: string, count: number | undefined) =>
    count ? `${name} (${atMost(count)})` : name,
  waitingCount: (count: number) => `${atMost(count)} aguardando`,
  empty: {
    waiting: 'Nenhuma conversa aguarda uma pessoa',
    mine: 'Você não está respondendo a nenhuma conversa',
    open: 'Nenhum atendimento aberto',
    closed: 'Nenhum atendimento encerrado ainda',
  },
  emptyHint:
    'As conversas aparecem aqui quando o bot, um membro ou uma regra, como uma palavra do tipo ' +
    '“atendente”, as transfere para uma pessoa.',
  takeOverHint:
    'Para responder no lugar do bot a qualquer momento, abra uma conversa e escolha “Assumir”.',
  toConversations: 'Conversas',
  user: 'Usuário',
  last: 'Última mensagem',
  reason: 'Motivo',
  answers: 'Quem responde',
  since: 'Pedido',
  closed: 'Encerrado',
  nobody: 'Ninguém',
  unassigned: {
    waiting: 'Ninguém',
    assigned: 'Um atendente no sistema de chamados',
    closed: 'Ninguém',
  },
  you: 'Você',
  ofYou: (name: string) => `${name} (você)`,
  former: 'Um antigo membro',
  someMember: 'Um membro',
  back: 'Voltar à lista',
  about: 'Detalhes',
  summary: 'Resumo',
  waiting: 'Nenhuma pessoa responde ainda.',
  atHelpDesk:
    'As pessoas respondem no sistema de chamados. Se você encerrar o atendimento, o chamado ' +
    'continua aberto lá.',
  mine: 'Você responde. O bot não recebe nada.',
  seenAs: (name: string) => `Os visitantes veem você como ${name}.`,
  unnamed: 'Os visitantes não veem seu nome.',
  changeName: 'Alterar o nome',
  ownName: {
    title: 'Seu nome no chat',
    hint: 'Os visitantes veem este nome acima das suas respostas. Sem nome, não veem nenhum.',
    name: 'Nome',
  },
  mineRelayed: 'Você responde. O bot também recebe as mensagens.',
  other: (name: string) => `${name} responde a esta conversa`,
  otherHint: 'Assuma a conversa para responder.',
  otherDraft: 'Seu rascunho continua aqui. Assuma a conversa para responder.',
  outcomes: {
    returned: 'A conversa voltou ao bot, que responde de novo.',
    solved: 'Atendimento encerrado como resolvido. O bot responde às novas mensagens.',
  },
  take: 'Atender',
  takeOver: 'Assumir',
  openInbox: 'Abrir na caixa de entrada',
  reopen: 'Reabrir',
  return: 'Devolver ao bot',
  returnHint:
    'O pedido não está resolvido. O bot responde às novas mensagens e recebe o resultado ' +
    '“returned”.',
  solve: 'Encerrar como resolvido',
  solveHint:
    'O pedido está resolvido. O bot responde às novas mensagens e recebe o resultado “solved”.',
  assign: 'Atribuir',
  release: 'Devolver à fila',
  deleted: 'Este atendimento foi excluído',
  deletedHint:
    'A conversa foi excluída, por exemplo porque os dados do usuário foram eliminados.',
  answer: 'Sua resposta',
  placeholder: 'Escreva uma resposta',
  unfilled: (variable: string) => `Substitua ${variable} antes de enviar.`,
  unsent: 'Seu rascunho não foi enviado',
  unsentHint: 'O atendimento foi encerrado sem ele.',
  send: 'Enviar',
  attach: 'Anexar um arquivo',
  attached: (name: string) => `Anexado: ${name}`,
  detach: (name: string) => `Remover ${name}`,
  own: {
    states: { sent: 'Enviada', delivered: 'Entregue', read: 'Lida' },
    edited: 'Editada',
    edit: 'Editar',
    editOne: (time: string) => `Editar a mensagem de ${time}`,
    editTitle: 'Editar mensagem',
    text: 'Texto',
    delete: 'Excluir',
    deleteOne: (time: string) => `Excluir a mensagem de ${time}`,
    deleteTitle: 'Excluir mensagem?',
    deleteHint: 'Ela também desaparece do chat do usuário.',
  },
  filters: {
    text: 'Usuário ou palavras',
    tag: 'Tag',
    tagHint: 'nome=valor',
    member: 'Quem responde',
    source: 'Transferido por',
    sources: { request: 'O bot ou um membro', rule: 'Uma regra', hitl: 'O plugin hitl' },
    none: 'Nenhum atendimento corresponde aos filtros',
  },
  writes: 'O usuário está digitando…',
  person: 'Usuário',
  handoff: 'Atendimento',
  requested: 'Pedido',
  requestedBy: 'Pedido por',
  bot: 'O bot',
  assigned: 'Atribuído',
  answered: 'Primeira resposta',
  tags: {
    title: 'Tags do atendimento',
    new: 'Nova tag do atendimento',
    none: 'O atendimento não tem tags',
  },
  notes: {
    title: 'Notas',
    hint: 'Membros e o bot as veem; usuários, não.',
    text: 'Nova nota',
    placeholder: 'Escreva uma nota',
    add: 'Salvar nota',
    remove: (time: string) => `Excluir a nota de ${time}`,
  },
  replies: {
    title: 'Respostas rápidas',
    insert: 'Inserir uma resposta rápida (Ctrl+J)',
    search: 'Buscar uma resposta',
    searchHint: 'Enter insere a primeira.',
    none: 'Este bot ainda não tem respostas rápidas.',
    noneFound: 'Nenhuma resposta tem estas palavras.',
    new: 'Nova resposta',
    edit: 'Editar resposta',
    editOne: (name: string) => `Editar ${name}`,
    deleteOne: (name: string) => `Excluir ${name}`,
    name: 'Nome',
    text: 'Texto',
    variables:
      '{{user.name}} e {{agent.name}} são preenchidos quando você insere a resposta. ' +
      '{{user.name|cliente}}: “cliente” para usuários sem nome.',
    unknown: (variable: string) =>
      `${variable} não é uma variável: um membro precisa substituir o texto antes de enviar.`,
  },
  rules: {
    button: 'Regras',
    title: 'Regras que transferem para uma pessoa',
    keywords: 'Palavras-chave',
    keywordsHint:
      'Palavras ou frases; Enter adiciona uma. Uma mensagem de usuário que contém uma delas vai ' +
      'para uma pessoa.',
    failures: 'Respostas malsucedidas',
    failuresHint:
      'Transfere depois de tantas seguidas: erros do bot, avaliações ruins e perguntas que o ' +
      'cartão “answer” não sabe responder. Vazio: nunca.',
    unanswered: 'Perguntas que o bot não sabe responder',
    unansweredHint:
      'Para transferir na hora, faça onUnknown do cartão “answer” apontar para um nó com o ' +
      'cartão “handoff”. Outras respostas, como “Não sei”, contam como malsucedidas se o bot as ' +
      'marca.',
    unansweredLink: 'Como transferir em um fluxo',
    relays: 'O bot recebe mensagens durante atendimentos',
    relaysHint:
      'Para bots que as registram ou encaminham. Sem esta opção, ele não recebe nada até o fim.',
    message: 'Mensagem ao usuário',
    messageHint: 'Enviada quando uma regra transfere. Vazio: nenhuma.',
    hasHours: 'Horário de atendimento',
    hoursHint:
      'Fora dele, os usuários recebem outra mensagem. Sem horário de atendimento: sempre aberto.',
    timezone: 'Fuso horário',
    period: 'Horário de atendimento',
    days: {
      monday: 'Seg',
      tuesday: 'Ter',
      wednesday: 'Qua',
      thursday: 'Qui',
      friday: 'Sex',
      saturday: 'Sáb',
      sunday: 'Dom',
    },
    from: 'De',
    to: 'Até',
    addHours: 'Adicionar horário',
    removeHours: 'Remover este horário',
    closedMessage: 'Mensagem fora do horário',
    handsOver: 'Transferir também fora do horário',
    handsOverHint:
      'Sem esta opção, o bot continua a responder. Sem palavras-chave nem respostas ' +
      'malsucedidas, toda mensagem fora do horário vai para uma pessoa.',
  },
  notifications: {
    button: 'Me avisar',
    denied: 'Permita notificações no navegador',
    title: 'Uma conversa aguarda uma pessoa',
    assigned: 'Uma conversa foi atribuída a você',
    message: (name: string) => `${name} escreveu para você`,
  },
  allConversations: 'Conversas em todos os canais',
  wholeConversation: 'Abrir a conversa',
}

/** Counting stops at 1,000. */
const atMost = (count: number) => (count >= 1_000 ? '1.000+' : String(count))
