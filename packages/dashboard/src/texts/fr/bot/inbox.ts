import type { inbox as English } from '../../en/bot/inbox.ts'
import { thousands } from '../amount.ts'

export const inbox: typeof English = {
  title: 'Boîte de réception',
  list: 'Transferts',
  which: 'Quels transferts',
  lists: { waiting: 'En attente', mine: 'Les miens', open: 'Ouverts', closed: 'Fermés' },
  counted: (name, count) => (count ? `${name} (${atMost(count)})` : name),
  waitingCount: (count) => `${atMost(count)} en attente`,
  empty: {
    waiting: 'Aucune conversation en attente d’une personne',
    mine: 'Vous ne répondez à aucune conversation',
    open: 'Aucun transfert ouvert',
    closed: 'Aucun transfert fermé pour le moment',
  },
  emptyHint:
    'Les conversations s’affichent ici quand le bot, un membre ou une règle, par exemple sur le ' +
    'mot « humain », les transfère à une personne.',
  takeOverHint:
    'Pour répondre à la place du bot à tout moment, ouvrez une conversation et choisissez ' +
    '« Prendre le relais ».',
  toConversations: 'Conversations',
  user: 'Utilisateur',
  last: 'Dernier message',
  reason: 'Raison',
  answers: 'Pris en charge par',
  since: 'Demande',
  closed: 'Fermeture',
  nobody: 'Personne',
  /** Without a member. */
  unassigned: {
    waiting: 'Personne',
    assigned: 'Un agent du centre d’assistance',
    closed: 'Personne',
  },
  you: 'Vous',
  /** Appended to a name. */
  ofYou: (name) => `${name} (vous)`,
  former: 'Un ancien membre',
  /** For roles that may not read the names of members. */
  someMember: 'Un membre',
  back: 'Retour à la liste',
  about: 'À propos',
  summary: 'Résumé',
  waiting: 'Personne ne répond encore.',
  atHelpDesk:
    'Les réponses viennent du centre d’assistance. Si vous fermez le transfert, le ticket y ' +
    'reste ouvert.',
  mine: 'Vous répondez. Le bot ne reçoit rien.',
  seenAs: (name) => `Les visiteurs voient votre nom : ${name}.`,
  unnamed: 'Les visiteurs ne voient pas votre nom.',
  changeName: 'Modifier le nom',
  ownName: {
    title: 'Votre nom dans le chat',
    hint:
      'Les visiteurs voient ce nom au-dessus de vos réponses. Si vous n’en indiquez pas, ils ' +
      'n’en voient aucun.',
    name: 'Nom',
  },
  mineRelayed: 'Vous répondez. Le bot reçoit aussi les messages.',
  other: (name) => `${name} répond à cette conversation`,
  otherHint: 'Prenez le relais pour répondre vous-même.',
  otherDraft: 'Votre brouillon est conservé. Prenez le relais pour répondre vous-même.',
  outcomes: {
    returned: 'Conversation rendue au bot, qui répond de nouveau.',
    solved: 'Conversation fermée comme résolue. Le bot répond aux nouveaux messages.',
  },
  take: 'Prendre en charge',
  takeOver: 'Prendre le relais',
  openInbox: 'Ouvrir dans la boîte de réception',
  reopen: 'Rouvrir',
  return: 'Rendre au bot',
  returnHint:
    'La demande n’est pas réglée. Le bot répond aux nouveaux messages et reçoit le résultat ' +
    '« returned ».',
  solve: 'Fermer comme résolue',
  solveHint:
    'La demande est réglée. Le bot répond aux nouveaux messages et reçoit le résultat « solved ».',
  assign: 'Attribuer',
  release: 'Remettre en attente',
  deleted: 'Ce transfert a été supprimé',
  deletedHint:
    'Sa conversation a été supprimée, par exemple parce que les données de l’utilisateur ont été ' +
    'effacées.',
  answer: 'Votre réponse',
  placeholder: 'Écrire une réponse',
  unfilled: (variable) => `Remplacez ${variable} avant d’envoyer.`,
  unsent: 'Votre brouillon n’a pas été envoyé',
  unsentHint: 'Le transfert est fermé sans lui.',
  send: 'Envoyer',
  attach: 'Joindre un fichier',
  attached: (name) => `Fichier joint : ${name}`,
  detach: (name) => `Retirer ${name}`,
  own: {
    states: { sent: 'Envoyé', delivered: 'Distribué', read: 'Lu' },
    edited: 'Modifié',
    edit: 'Modifier',
    editOne: (time) => `Modifier le message (${time})`,
    editTitle: 'Modifier le message',
    text: 'Texte',
    delete: 'Supprimer',
    deleteOne: (time) => `Supprimer le message (${time})`,
    deleteTitle: 'Supprimer le message ?',
    deleteHint: 'Il disparaît aussi du chat de l’utilisateur.',
  },
  filters: {
    text: 'Utilisateur ou mots',
    tag: 'Tag',
    tagHint: 'nom=valeur',
    member: 'Pris en charge par',
    source: 'Transféré par',
    sources: {
      request: 'Le bot ou un membre',
      rule: 'Une règle',
      hitl: 'Le plugin hitl',
    },
    none: 'Aucun transfert ne correspond aux filtres',
  },
  writes: 'L’utilisateur écrit…',
  person: 'Utilisateur',
  handoff: 'Transfert',
  requested: 'Demande',
  requestedBy: 'Demandé par',
  bot: 'Le bot',
  assigned: 'Attribution',
  answered: 'Première réponse',
  tags: {
    title: 'Tags du transfert',
    new: 'Nouveau tag du transfert',
    none: 'Le transfert n’a aucun tag',
  },
  notes: {
    title: 'Notes',
    hint: 'Les membres et le bot les voient, pas les utilisateurs.',
    text: 'Nouvelle note',
    placeholder: 'Écrire une note',
    add: 'Enregistrer la note',
    remove: (time) => `Supprimer la note (${time})`,
  },
  replies: {
    title: 'Réponses types',
    insert: 'Insérer une réponse type (Ctrl+J)',
    search: 'Rechercher une réponse',
    searchHint: 'Entrée insère la première.',
    none: 'Ce bot n’a pas encore de réponses types.',
    noneFound: 'Aucune réponse ne contient ces mots.',
    new: 'Nouvelle réponse',
    edit: 'Modifier la réponse',
    editOne: (name) => `Modifier ${name}`,
    deleteOne: (name) => `Supprimer ${name}`,
    name: 'Nom',
    text: 'Texte',
    variables:
      '{{user.name}} et {{agent.name}} sont remplis quand vous insérez la réponse. ' +
      '{{user.name|cher client}} : « cher client » pour les utilisateurs sans nom.',
    unknown: (variable) =>
      `${variable} n’est pas une variable : un membre devra la remplacer avant l’envoi.`,
  },
  rules: {
    button: 'Règles',
    title: 'Règles de transfert à une personne',
    keywords: 'Mots-clés',
    keywordsHint:
      'Mots ou expressions ; Entrée en ajoute un. Un message d’utilisateur qui en contient un ' +
      'est transféré à une personne.',
    failures: 'Réponses échouées',
    failuresHint:
      'Transfère après ce nombre d’échecs de suite : erreurs du bot, mauvaises notes et ' +
      'questions auxquelles la carte « answer » ne sait pas répondre. Vide : jamais.',
    unanswered: 'Questions auxquelles le bot ne sait pas répondre',
    unansweredHint:
      'Pour transférer tout de suite, indiquez dans onUnknown de la carte « answer » un nœud ' +
      'avec la carte « handoff ». D’autres réponses comme « Je ne sais pas » comptent comme ' +
      'échouées si le bot les marque ainsi.',
    unansweredLink: 'Comment transférer dans un flux',
    relays: 'Le bot reçoit les messages pendant les transferts',
    relaysHint:
      'Pour les bots qui les enregistrent ou les transmettent. Sinon, il ne reçoit rien jusqu’à ' +
      'la fin.',
    message: 'Message à l’utilisateur',
    messageHint: 'Envoyé quand une règle transfère. Vide : aucun.',
    hasHours: 'Horaires d’ouverture',
    hoursHint:
      'En dehors, les utilisateurs reçoivent un autre message. Sans horaires : toujours ouvert.',
    timezone: 'Fuseau horaire',
    period: 'Horaires d’ouverture',
    days: {
      monday: 'Lun',
      tuesday: 'Mar',
      wednesday: 'Mer',
      thursday: 'Jeu',
      friday: 'Ven',
      saturday: 'Sam',
      sunday: 'Dim',
    },
    from: 'De',
    to: 'À',
    addHours: 'Ajouter des horaires',
    removeHours: 'Retirer ces horaires',
    closedMessage: 'Message en dehors des horaires',
    handsOver: 'Transférer aussi en dehors des horaires',
    handsOverHint:
      'Sinon, le bot continue de répondre. Sans mots-clés ni réponses échouées, chaque message ' +
      'reçu en dehors des horaires est transféré à une personne.',
  },
  notifications: {
    button: 'M’avertir',
    denied: 'Autorisez les notifications dans le navigateur',
    title: 'Une conversation attend une personne',
    assigned: 'Une conversation vous a été attribuée',
    message: (name) => `${name} vous a écrit`,
  },
  allConversations: 'Conversations de tous les canaux',
  wholeConversation: 'Ouvrir la conversation',
}

/** Counting stops at 1,000. */
const atMost = (count: number) =>
  count >= 1_000 ? `${thousands(1_000)}+` : String(count)
