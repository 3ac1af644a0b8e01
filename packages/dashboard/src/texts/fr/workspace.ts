import type {
  access as EnglishAccess,
  audit as EnglishAudit,
  members as EnglishMembers,
  tokens as EnglishTokens,
} from '../en/workspace.ts'
import { amount, thousands } from './amount.ts'

export const members: typeof EnglishMembers = {
  title: 'Membres',
  list: 'Membres de l’espace de travail',
  name: 'Nom',
  role: 'Rôle',
  since: 'Arrivée',
  roleOf: (name) => `Rôle (${name})`,
  remove: 'Retirer',
  removeOne: (name) => `Retirer ${name}`,
  removeText:
    'Cette personne perd aussitôt l’accès à cet espace de travail. Ses jetons et ses sessions ' +
    'restent valables ailleurs.',
  lastOwner: 'Un espace de travail doit avoir un propriétaire',
  you: 'vous',
  unverified: 'Adresse non vérifiée',
  pending:
    'Adresse non vérifiée : un autre espace de travail a créé ce compte. Le rôle prend effet ' +
    'quand la personne se connecte par le fournisseur d’identité ou par un lien de l’exploitant, ' +
    'ou accepte un lien d’invitation.',
  invite: 'Inviter',
  inviteTitle: 'Inviter une personne',
  email: 'Adresse e-mail',
  inboxRole:
    'Pour répondre dans la boîte de réception, il faut le rôle Agent, ou bien Développeur ou un ' +
    'rôle supérieur.',
  mailed: (email) =>
    `Le serveur envoie ce lien à ${email}. Il sert une seule fois, dans les sept jours, et ne ` +
    's’affiche que maintenant.',
  create: 'Créer le lien',
  created:
    'Envoyez ce lien à la personne. Il sert une seule fois, dans les sept jours, et ne s’affiche ' +
    'que maintenant.',
  invitations: 'Invitations',
  noInvitations: 'Aucune invitation en cours.',
  expires: 'expire',
  expired: 'expirée',
  withdraw: 'Annuler',
  withdrawOne: (email) => `Annuler l’invitation : ${email}`,
  withdrawText: 'Son lien ne fonctionnera plus.',
  used: 'L’invitation a déjà été utilisée ou annulée',
  usedHint: 'Si la personne l’a acceptée, retirez-la des membres.',
  roles: {
    viewer: 'Lecteur',
    agent: 'Agent',
    editor: 'Éditeur',
    billing: 'Facturation',
    developer: 'Développeur',
    manager: 'Responsable',
    administrator: 'Administrateur',
    owner: 'Propriétaire',
  },
  roleHints: {
    viewer: 'Lit les bots et les conversations',
    agent: 'Répond dans la boîte de réception et ne voit rien d’autre',
    editor:
      'Modifie les documents, les réponses et les réponses types, et lit les conversations',
    billing: 'Lit l’utilisation et ses limites, mais ni les bots ni les conversations',
    developer: 'Modifie les bots et répond dans la boîte de réception',
    manager: 'Lit aussi le journal d’audit',
    administrator: 'Gère aussi les membres',
    owner: 'Peut tout faire',
  },
}
export const tokens: typeof EnglishTokens = {
  title: 'Jetons',
  hint:
    'Pour les programmes et la ligne de commande. Un jeton a toutes les autorisations de votre ' +
    'compte.',
  empty: 'Vous n’avez aucun jeton',
  note: 'Note',
  created: 'Création',
  create: 'Créer un jeton',
  shown: 'Le jeton ne s’affiche que maintenant :',
  revoke: 'Révoquer',
  revokeOne: (note) => `Révoquer ${note}`,
  revokeText: 'Les programmes qui utilisent ce jeton ne fonctionneront plus.',
}
export const access: typeof EnglishAccess = {
  title: 'Accès',
  hint: 'Les membres qui ont accès à ce bot. Les administrateurs et les propriétaires l’ont toujours.',
  all: 'Tous les membres de l’espace de travail',
  selected: 'Certains membres',
  visibility: 'Visibilité',
  members: 'Membres ayant accès',
}
export const audit: typeof EnglishAudit = {
  title: 'Journal d’audit',
  search: 'Rechercher dans le journal d’audit',
  searchHint: 'Opération, cible ou adresse',
  empty: 'Aucune entrée',
  emptyHint: 'Aucune entrée ne contient ce texte.',
  operation: 'Opération',
  by: 'Par',
  at: 'Date',
  from: 'Depuis',
  deployment: 'déploiement',
  operations: {
    'token.firstUseFromAddress': 'Utiliser un jeton depuis une nouvelle adresse',
    'session.createLink': 'Créer un lien de connexion',
    'session.startedBy.link': 'Se connecter par lien',
    'session.startedBy.password': 'Se connecter par mot de passe',
    'session.startedBy.invitation': 'Se connecter par invitation',
    'session.startedBy.openId': 'Se connecter par OpenID Connect',
    'session.failed': 'Se connecter',
    'session.copied': 'Utiliser une session copiée',
    'account.addressProved': 'Prouver une adresse e-mail',
    'platform.importWorkspace': 'Importer un espace de travail',
  },
  /** By the prefix of the id. */
  kinds: {
    answer: 'une réponse',
    bak: 'une clé d’un bot',
    bot: 'un bot supprimé',
    botver: 'une version supprimée',
    broadcast: 'une diffusion supprimée',
    budget: 'un budget',
    conv: 'une conversation',
    dlv: 'une livraison en échec',
    erasure: 'un effacement',
    evt: 'un événement',
    file: 'un fichier supprimé',
    handoff: 'un transfert',
    iak: 'une clé d’une intégration',
    intver: 'une intégration',
    invite: 'une invitation',
    iss: 'un incident',
    kb: 'une base de connaissances supprimée',
    kcheck: 'un contrôle des connaissances',
    ksource: 'un site web retiré',
    msg: 'un message',
    note: 'une note',
    pat: 'un jeton révoqué',
    session: 'une session',
    table: 'une table supprimée',
    tabjob: 'une tâche d’une table',
    user: 'un utilisateur',
  },
  results: { done: 'effectué', refused: 'refusé', failed: 'échec' },
  verify: 'Vérifier',
  verifying: 'Vérification de toutes les entrées…',
  whole: (checked) =>
    `Entrées vérifiées : ${thousands(checked)}. Aucune n’a été modifiée.`,
  fault: (number, reason) => `Entrée ${thousands(number)} : ${reason}.`,
  faults: {
    'a record is missing': 'une entrée manque',
    'the record or its predecessor was modified':
      'l’entrée ou la précédente a été modifiée',
    'the anchor record is missing': 'l’entrée de l’ancre manque',
    'the record does not match the anchor': 'l’entrée ne correspond pas à l’ancre',
    "the chain's end does not match its last record":
      'la fin du journal ne correspond pas à sa dernière entrée',
    "there are records after the chain's end":
      'il y a des entrées après la fin du journal',
  },
  anchor:
    'Pour déceler plus tard la suppression des entrées les plus récentes, gardez ce point de ' +
    'contrôle ailleurs :',
  export: 'Exporter',
  exporting: (count) => `${amount(count, 'entrée')}…`,
}
