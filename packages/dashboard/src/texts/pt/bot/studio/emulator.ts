import type { emulator as English } from '../../../en/bot/studio/emulator.ts'

export const emulator: typeof English = {
  title: 'Testar o bot',
  name: 'Membro',
  newConversation: 'Nova conversa',
  noChat: 'A integração chat não está instalada neste bot',
  noChatHint: 'É por ela que as mensagens daqui chegam ao bot.',
  installChat: 'Instalar chat',
  placeholder: 'Escreva uma mensagem',
  message: 'Sua mensagem',
  send: 'Enviar',
  attach: 'Anexar um arquivo',
  empty: 'Diga olá',
  emptyHint: 'As respostas do bot aparecem aqui.',
  older: 'Mensagens anteriores',
  typing: 'O bot está digitando',
  sending: 'Enviando…',
  answering: 'O bot está respondendo…',
  nextAttempt: (number: number, max: number, seconds: number) =>
    seconds > 0
      ? `O bot falhou. Tentativa ${number} de ${max} em ${seconds} s…`
      : `Tentativa ${number} de ${max}…`,
  traceOf: 'Por que esta resposta?',
  good: 'Boa resposta',
  bad: 'Má resposta',
  rated: 'A pergunta está na lista de perguntas a corrigir:',
  failed: 'O bot falhou nesta mensagem',
  failedElse: 'O bot falhou em um evento desta conversa',
  traceOfFailure: 'Por quê?',
  notSent: 'Não enviada',
  resend: 'Enviar de novo',
  log: 'Conversa',
  offline: 'Reconectando…',
}
