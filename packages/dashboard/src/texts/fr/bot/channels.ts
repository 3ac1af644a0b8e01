import type { channels as English } from '../../en/bot/channels.ts'

export const channels: typeof English = {
  choose: 'Connecter un canal ou un service',
  chooseHint: 'Choisissez où l’on écrit au bot :',
  others: 'Autres canaux et services',
  othersHint:
    'Ceux que vous ou d’autres avez déployés sur ce serveur comme intégrations.',
  ways: 'Fournisseur',
  steps: 'Étapes',
  laterSteps: 'Après la connexion',
  doneSteps: (count) => `Étapes avant la connexion : ${count}`,
  values: (count) => `Autres paramètres (${count})`,
  connect: 'Connecter',
  connectStep: (title) => `Connecter ${title}`,
  connectHint:
    'Le serveur demande au fournisseur s’il accepte les valeurs avant de les enregistrer.',
  checking: 'Vérification auprès du fournisseur…',
  right: (account) =>
    account === undefined
      ? 'Le fournisseur les accepte.'
      : `Le fournisseur les accepte : ${account}`,
  unproved: (titles) =>
    `Pas encore vérifié : ${titles}. Le fournisseur ne permet pas de le vérifier ; seul le ` +
    'premier message montre si tout est correct.',
  correct: 'Modifier les valeurs',
  addressSetting: 'Définir l’adresse publique',
  saveStep: 'Enregistrer les valeurs',
  addressDocs: 'Comment obtenir une adresse publique',
  refused: 'Non enregistré : les valeurs précédentes restent',
  saveAnyway: 'Enregistrer quand même',
  notRight: 'Ces valeurs ne fonctionnent pas encore',
  doubt:
    'Une valeur ci-dessus semble incorrecte : elle n’est donc pas vérifiée automatiquement. Vous ' +
    'pouvez l’essayer malgré tout.',
  missing: (titles) => `Il manque encore : ${titles}.`,
  invent: 'Générer une autre valeur',
  spaced:
    'La valeur contient un espace ou un saut de ligne : supprimez-le, ou copiez de nouveau la ' +
    'valeur.',
  existing: (aliases) =>
    `Ce bot a déjà ce canal : ${aliases}. Vous pouvez connecter un autre compte ci-dessous.`,
  openExisting: (alias) => `Ouvrir ${alias}`,
  connected: (title) => `Connexion établie : ${title}`,
  copyFile: (name) => `Copier ${name}`,
  download: (name) => `Télécharger ${name}`,
  afterConnecting: 'connu après la connexion',
  firstMessage: 'Écrire le premier message',
  qrCode: 'Code QR qui ouvre un chat avec le bot',
  qrHint: 'Scannez-le avec un téléphone ou ouvrez le lien.',
  state: 'État',
  light: {
    green: 'Les messages arrivent',
    unsure:
      'Les messages arrivent, mais la dernière requête avait une signature incorrecte',
    waiting: 'Prêt : en attente du premier message',
    pending: 'En préparation',
    red: 'Ne fonctionne pas',
    off: 'Désactivé',
  },
  since: 'Changement d’état',
  lastReceived: 'Dernier message reçu',
  lastSent: 'Dernier message envoyé',
  account: 'Compte',
  by: { connection: 'par une connexion de ce serveur', webhook: 'par webhook' },
  receives: 'Réception',
  problem: {
    receiving: 'Dernier problème de réception',
    sending: 'Dernier problème d’envoi',
  },
  isOver: 'Tout fonctionne de nouveau depuis.',
  verify: 'Vérifier maintenant',
  works: 'Le fournisseur accepte les valeurs.',
  unasked:
    'Ce fournisseur ne permet pas de vérification : envoyez un message de test ou écrivez au bot.',
  stillFails: 'Vérifié à l’instant : le problème est toujours là.',
  settings: 'Paramètres',
  test: 'Envoyer un message de test',
  testHint: 'Il part dans la conversation la plus récente de ce canal.',
  testTo: (address) => `${address} (vide : la conversation la plus récente)`,
  send: 'Envoyer',
  noRecipient:
    'Écrivez le premier message ou saisissez une adresse : l’envoi sera alors possible.',
  sentTo: (address) => `Le fournisseur a accepté le message de test pour ${address}.`,
  sentToNewest:
    'Le fournisseur a accepté le message de test pour la conversation la plus récente.',
  openConversation: 'Ouvrir la conversation',
  problems: 'Problèmes fréquents',
  page: 'Étapes, état et message de test',
}
