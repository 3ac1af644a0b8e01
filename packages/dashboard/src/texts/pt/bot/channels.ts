import type { channels as English } from '../../en/bot/channels.ts'

export const channels: typeof English = {
  choose: 'Conectar um canal ou serviço',
  chooseHint: 'É lá que as pessoas escrevem ao bot. Escolha onde:',
  others: 'Outros canais e serviços',
  othersHint:
    'Os que você ou outras pessoas implantaram neste servidor como integrações.',
  ways: 'Provedor',
  steps: 'Passos',
  laterSteps: 'Depois de conectar',
  doneSteps: (count: number) => `Passos antes de conectar (${count})`,
  values: (count: number) => `Mais configurações (${count})`,
  connect: 'Conectar',
  connectStep: (title: string) => `Conectar ${title}`,
  connectHint:
    'Antes de guardar os valores, o servidor pergunta ao provedor se ele os aceita.',
  checking: 'Consultando o provedor…',
  right: (account: string | undefined) =>
    account === undefined
      ? 'O provedor aceita os valores.'
      : `O provedor aceita os valores: ${account}`,
  unproved: (titles: string) =>
    `Ainda sem verificação: ${titles}. Não há como consultar o provedor; só a primeira mensagem ` +
    'mostra se está certo.',
  correct: 'Corrigir os valores',
  addressSetting: 'Definir o endereço público',
  saveStep: 'Salvar os valores',
  addressDocs: 'Como obter um endereço público',
  refused: 'Não salvo: os valores anteriores continuam',
  saveAnyway: 'Salvar mesmo assim',
  notRight: 'Estes valores ainda não funcionam',
  doubt:
    'Um valor acima parece errado, por isso a verificação não começou sozinha. Você pode tentar ' +
    'mesmo assim.',
  missing: (titles: string) => `Ainda falta: ${titles}.`,
  invent: 'Gerar outro',
  spaced:
    'Há um espaço ou uma quebra de linha no valor: remova-os ou copie o valor de novo.',
  existing: (aliases: string) =>
    `Este bot já tem este canal: ${aliases}. Você pode conectar outra conta abaixo.`,
  openExisting: (alias: string) => `Abrir ${alias}`,
  connected: (title: string) => `Canal conectado: ${title}`,
  copyFile: (name: string) => `Copiar ${name}`,
  download: (name: string) => `Baixar ${name}`,
  afterConnecting: 'aparece depois de conectar',
  firstMessage: 'Escreva a primeira mensagem',
  qrCode: 'Código QR que abre um chat com o bot',
  qrHint: 'Escaneie com o celular ou abra o link.',
  state: 'Status',
  light: {
    green: 'As mensagens chegam',
    unsure: 'As mensagens chegam, mas a última requisição tinha uma assinatura errada',
    waiting: 'Pronto: aguarda a primeira mensagem',
    pending: 'Em preparação',
    red: 'Não funciona',
    off: 'Desativado',
  },
  since: 'Mudança de status',
  lastReceived: 'Última mensagem recebida',
  lastSent: 'Última mensagem enviada',
  account: 'Conta',
  by: { connection: 'por uma conexão deste servidor', webhook: 'por webhook' },
  receives: 'Recebe',
  problem: {
    receiving: 'Último problema ao receber',
    sending: 'Último problema ao enviar',
  },
  isOver: 'Desde então voltou a funcionar.',
  verify: 'Verificar agora',
  works: 'O provedor aceita os valores.',
  unasked:
    'Não há como consultar este provedor: envie uma mensagem de teste ou escreva ao bot.',
  stillFails: 'Verificado agora: o problema continua.',
  settings: 'Configurações',
  test: 'Enviar mensagem de teste',
  testHint: 'Vai para a conversa mais recente deste canal.',
  testTo: (address: string) => `${address}, ou vazio para a conversa mais recente`,
  send: 'Enviar',
  noRecipient:
    'Escreva a primeira mensagem ou informe um endereço: só então é possível enviar.',
  sentTo: (address: string) => `O provedor aceitou a mensagem de teste para ${address}.`,
  sentToNewest: 'O provedor aceitou a mensagem de teste para a conversa mais recente.',
  openConversation: 'Abrir a conversa',
  problems: 'Problemas frequentes',
  page: 'Passos, status e mensagem de teste',
}
