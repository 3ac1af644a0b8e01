import type { emulator as English } from '../../../en/bot/studio/emulator.ts'

export const emulator: typeof English = {
  title: 'Essayer le bot',
  name: 'Membre',
  newConversation: 'Nouvelle conversation',
  noChat: 'L’intégration « chat » n’est pas installée dans ce bot',
  noChatHint: 'Les messages écrits ici passent par elle pour atteindre le bot.',
  installChat: 'Installer « chat »',
  placeholder: 'Écrire un message',
  message: 'Votre message',
  send: 'Envoyer',
  attach: 'Joindre un fichier',
  empty: 'Dites bonjour',
  emptyHint: 'Les réponses du bot s’affichent ici.',
  older: 'Messages plus anciens',
  typing: 'Le bot écrit',
  sending: 'Envoi…',
  answering: 'Le bot répond…',
  nextAttempt: (number, max, seconds) =>
    seconds > 0
      ? `Le bot a échoué. Tentative ${number} sur ${max} dans ${seconds} s…`
      : `Tentative ${number} sur ${max}…`,
  traceOf: 'Pourquoi cette réponse ?',
  good: 'Bonne réponse',
  bad: 'Mauvaise réponse',
  rated: 'La question est dans la liste des questions à améliorer :',
  failed: 'Le bot n’a pas pu traiter ce message',
  failedElse: 'Le bot n’a pas pu traiter un événement de cette conversation',
  traceOfFailure: 'Pourquoi ?',
  notSent: 'Non envoyé',
  resend: 'Renvoyer',
  log: 'Conversation',
  offline: 'Reconnexion…',
}
