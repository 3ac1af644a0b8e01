import type { integrations as English } from '../../en/bot/integrations.ts'
import { amount, thousands } from '../amount.ts'

export const integrations: typeof English = {
  title: 'Integrações',
  empty: 'Nenhuma integração',
  emptyHint: 'Uma integração conecta o bot a um canal ou serviço.',
  install: 'Instalar integração',
  search: 'Buscar por nome',
  hub: 'Para todos os espaços de trabalho',
  hubHint: 'O servidor ou outro espaço a oferece a todos os espaços de trabalho',
  own: 'Deste espaço de trabalho',
  ownedHint: 'Implantada neste espaço de trabalho',
  installedAs: (aliases: string) => `Instalada como ${aliases}`,
  ownHint:
    'Para um canal ou serviço que não está nesta lista, implante a integração a partir do ' +
    'código-fonte: execute `bp deploy` na pasta do projeto. bp é a linha de comando do SDK da ' +
    'Botpress (npm install @botpress/cli).',
  ownDocs: 'Implantar integrações',
  newestHint:
    'A lista mostra a versão mais nova de cada integração. Uma integração instalada mantém a ' +
    'versão dela e não precisa de atualização.',
  appearanceLater: 'Depois, defina nome, cores e saudação na página Webchat.',
  appearanceDisabled: (page: string) =>
    'Enquanto a integração está desativada, o chat não tem a aparência dela. Ative-a para ' +
    `alterar nome, cores, saudação e perguntas sugeridas na página ${page}.`,
  appearance: (page: string) =>
    'O chat tem uma só aparência para a página dele e para todos os sites. Nome, cores, saudação ' +
    `e perguntas sugeridas estão na página ${page}.`,
  nothing: 'Nenhuma integração encontrada',
  noneYet: 'Ainda não há integrações.',
  moreFound: 'Há mais: busque uma parte do nome.',
  alias: 'Apelido',
  aliasHint: 'O nome dela neste bot; não pode ser alterado depois.',
  aliasInvalid: 'Um apelido tem pelo menos um caractere e nenhum dois-pontos.',
  aliasUsed: 'Este bot já tem uma integração com este apelido. Escolha outro.',
  installed: (title: string) => `Integração instalada: ${title}`,
  installNow: 'Instalar',
  back: 'Voltar',
  disabled: 'Desativada',
  enabled: 'Ativada',
  statuses: {
    registration_pending: 'Em preparação',
    registered: 'Pronta',
    registration_failed: 'Falha no registro',
    unregistration_pending: 'Cancelando o registro',
    unregistered: 'Não registrada',
    unregistration_failed: 'Falha ao cancelar o registro',
  },
  statusHints: {
    registration_pending: 'A integração está preparando a conexão',
    registered: 'A integração aceitou a configuração e funciona',
    registration_failed: 'A integração rejeitou a configuração: veja a página dela',
    unregistration_pending: 'A integração está fechando a conexão',
    unregistered: 'A integração não tem conexão agora',
    unregistration_failed:
      'A integração não conseguiu fechar a conexão: veja a página dela',
  },
  disabledHint: 'O bot não recebe nem envia mensagens por ela',
  isEnabled: 'A integração está ativada',
  isDisabled: 'A integração está desativada',
  isRegistered: 'A integração está registrada',
  changed: 'Alteração',
  registerAgain: 'Registrar de novo',
  registrationFailed: (done: string, reason: string) => `${done}. Motivo: ${reason}`,
  noReason: 'A integração não informou o motivo.',
  version: (version: string) => `versão ${version}`,
  builtIn: (major: string) => `incluída, versão ${major}.x`,
  builtInChat: (major: string) =>
    `incluída, para bp chat e o pacote npm @botpress/chat ${major}.x`,
  webhook: 'Endereço do webhook',
  webhookHint: 'O outro serviço envia para cá as mensagens para este bot.',
  chatWebhookHint: 'Os clientes do chat enviam para cá suas requisições.',
  configuration: 'Configuração',
  configurationType: 'Tipo da configuração',
  usualType: 'Padrão',
  noConfiguration: 'A integração não tem configuração.',
  saved: 'A configuração foi salva',
  remove: 'Remover',
  removeTitle: (alias: string) => `Remover ${alias}`,
  removed: (alias: string) => `Integração removida: ${alias}`,
  addressStops: 'O endereço do webhook deixa de funcionar, e a configuração é excluída.',
  codeNotSearched: 'As chamadas à integração no código do bot não foram verificadas.',
  breaks: 'O bot perde a conexão. Isto deixa de funcionar:',
  breaksNothing:
    'Nenhuma conversa, usuário, plugin ou referência deste bot depende da integração.',
  chatStops: 'A página de chat e o chat nos sites deixam de funcionar.',
  chatGoesOn: (alias: string) =>
    `A página de chat e o chat nos sites passam a usar a integração ${alias} e a configuração ` +
    'dela.',
  appearanceDeleted:
    'Nome, saudação, cores e a lista de sites permitidos são excluídos e não voltam se você ' +
    'instalar de novo.',
  thenEveryWebsite:
    'A partir daí, qualquer site pode mostrar o chat, até você definir a lista de novo.',
  conversations: (count: number) => amount(count, 'conversa'),
  users: (count: number) => amount(count, 'usuário'),
  sandboxConversations: (count: number) =>
    `${amount(count, 'conversa')} do número compartilhado`,
  schedule: (interval: string) => `Registro: ${interval}`,
  plugin: (alias: string) => `Plugin ${alias}`,
  reference: (path: string) => `Referência ${path}`,
  identifier: 'Endereço compartilhado',
  setup: 'Conexão',
  setupHint: 'Conecta a integração a uma conta do outro serviço, em outra aba.',
  setUp: 'Conectar uma conta',
  setUpAgain: 'Conectar de novo',
  connectedAs: (identifier: string) => `Conectada como ${identifier}`,
  identifierHint:
    'Todos os bots com esta integração também usam este endereço. O identificador de uma ' +
    'requisição a encaminha ao bot certo. A maioria das integrações o define sozinha ao se registrar.',
  identifierOfBot: 'Identificador deste bot',
  noIdentifier: 'nenhum',
  identifierSaved: 'O identificador foi salvo',
  identifierRemoved: 'O identificador foi removido',
  sandbox: {
    title: 'Número compartilhado',
    hint:
      'Vários bots compartilham um número no outro serviço. Quem envia para lá o id ' +
      'compartilhável deste bot conversa com ele até enviar //leave. O id expira em 24 horas.',
    noId: 'Este bot não tem id compartilhável.',
    expired: 'O id compartilhável expirou.',
    create: 'Criar id compartilhável',
    extend: 'Prorrogar por 24 horas',
    linked: 'Conversas vinculadas',
    noneLinked: 'Ninguém enviou o id compartilhável ainda.',
    unlink: 'Desvincular todas',
    unlinkTitle: 'Desvincular todas as conversas?',
    unlinkText:
      'Estas pessoas deixam de conversar com este bot. Elas podem se vincular de novo com o id ' +
      'compartilhável.',
    unlinked: 'As conversas foram desvinculadas',
  },
  requests: 'Últimas requisições',
  requestsHint: 'Ao endereço do webhook. O servidor guarda as últimas 100.',
  requestsNotRecorded: (page: string) =>
    'O servidor não registra as requisições desta integração. ' +
    `As mensagens dela estão na página ${page}.`,
  noRequests: 'Nenhuma requisição ainda',
  time: 'Hora',
  request: 'Requisição',
  status: 'Status',
  duration: 'Duração',
  milliseconds: (ms: number) => `${ms} ms`,
  failed: 'sem resposta',
  replay: 'Repetir',
  replayed: (status: number | undefined) =>
    status === undefined
      ? 'A integração não respondeu'
      : `A integração respondeu ${status}`,
  repeated: 'repetida',
  details: 'Requisição',
  headers: 'Cabeçalhos',
  query: 'Parâmetros',
  body: 'Corpo',
  noBody: 'Sem corpo',
  binary: (bytes: number) => `Conteúdo binário, ${thousands(bytes)} bytes`,
  cut: (bytes: number) => `O começo, de ${thousands(bytes)} bytes no total`,
  response: 'Resposta',
}
