import { inLanguage } from '../../../in-language.ts'

export const emulator = inLanguage('emulator', {
  title: 'Try the bot',
  name: 'Member',
  newConversation: 'New conversation',
  noChat: 'The integration chat is not installed in this bot',
  noChatHint: 'Messages from here reach the bot through it.',
  installChat: 'Install chat',
  placeholder: 'Write a message',
  message: 'Your message',
  send: 'Send',
  attach: 'Attach a file',
  empty: 'Say hello',
  emptyHint: 'Answers of the bot appear here.',
  older: 'Older messages',
  typing: 'The bot is typing',
  sending: 'Sending …',
  answering: 'The bot is answering …',
  nextAttempt: (number: number, max: number, seconds: number) =>
    seconds > 0
      ? `The bot failed. Attempt ${number} of ${max} in ${seconds} s …`
      : `Attempt ${number} of ${max} …`,
  traceOf: 'Why this answer?',
  good: 'Good answer',
  bad: 'Bad answer',
  rated: 'The question is in the list of questions to mend:',
  failed: 'The bot failed on this message',
  failedElse: 'The bot failed on an event of this conversation',
  traceOfFailure: 'Why?',
  notSent: 'Not sent',
  resend: 'Send again',
  log: 'Conversation',
  offline: 'Reconnecting …',
})
