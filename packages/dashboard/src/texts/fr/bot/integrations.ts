import type { integrations as English } from '../../en/bot/integrations.ts'
import { amount, thousands } from '../amount.ts'

export const integrations: typeof English = {
  title: 'Intégrations',
  empty: 'Aucune intégration',
  emptyHint: 'Une intégration relie le bot à un canal ou à un service.',
  install: 'Installer une intégration',
  search: 'Rechercher par nom',
  hub: 'Pour tous les espaces',
  hubHint:
    'Le serveur ou un autre espace de travail la propose à tous les espaces de travail',
  own: 'De cet espace',
  ownedHint: 'Déployée dans cet espace de travail',
  installedAs: (aliases) => `Installée : ${aliases}`,
  ownHint:
    'Pour un canal ou un service absent de cette liste, déployez son intégration à partir de ses ' +
    'sources : exécutez `bp deploy` dans le dossier de son projet. bp est l’outil en ligne de ' +
    'commande du SDK Botpress (npm install @botpress/cli).',
  ownDocs: 'Déployer des intégrations',
  newestHint:
    'La liste montre la dernière version de chaque intégration. Une intégration installée garde ' +
    'sa version et n’a pas besoin de mise à jour.',
  appearanceLater:
    'Définissez ensuite le nom, les couleurs et le message d’accueil sur la page « Webchat ».',
  appearanceDisabled: (page) =>
    'Tant que l’intégration est désactivée, le chat n’a pas son apparence. Activez-la pour ' +
    'modifier le nom, les couleurs, le message d’accueil et les questions suggérées sur la page ' +
    `${page}.`,
  appearance: (page) =>
    'Le chat a une seule apparence pour sa page et pour tous les sites web. Le nom, les ' +
    `couleurs, le message d’accueil et les questions suggérées se trouvent sur la page ${page}.`,
  nothing: 'Aucune intégration trouvée',
  noneYet: 'Il n’y a pas encore d’intégrations.',
  moreFound: 'Il y en a d’autres : cherchez une partie du nom.',
  alias: 'Alias',
  aliasHint: 'Son nom dans ce bot ; il ne pourra plus être modifié.',
  aliasInvalid: 'Un alias a au moins un caractère et ne contient pas de deux-points.',
  aliasUsed: 'Ce bot a déjà une intégration avec cet alias. Choisissez-en un autre.',
  installed: (title) => `L’intégration ${title} a été installée`,
  installNow: 'Installer',
  back: 'Retour',
  disabled: 'Désactivée',
  enabled: 'Activée',
  statuses: {
    registration_pending: 'En préparation',
    registered: 'Prête',
    registration_failed: 'Échec de la mise en service',
    unregistration_pending: 'Mise hors service',
    unregistered: 'Hors service',
    unregistration_failed: 'Échec de la mise hors service',
  },
  statusHints: {
    registration_pending: 'L’intégration établit sa connexion',
    registered: 'L’intégration a accepté sa configuration et fonctionne',
    registration_failed: 'L’intégration a refusé sa configuration : voir sa page',
    unregistration_pending: 'L’intégration ferme sa connexion',
    unregistered: 'L’intégration n’a pas de connexion actuellement',
    unregistration_failed: 'L’intégration n’a pas pu fermer sa connexion : voir sa page',
  },
  disabledHint: 'Le bot ne reçoit ni n’envoie de messages par cette intégration',
  isEnabled: 'L’intégration est activée',
  isDisabled: 'L’intégration est désactivée',
  isRegistered: 'L’intégration est en service',
  changed: 'Modification',
  registerAgain: 'Relancer la mise en service',
  registrationFailed: (done, reason) => `${done}. Raison : ${reason}`,
  noReason: 'L’intégration n’a pas donné de raison.',
  version: (version) => `version ${version}`,
  builtIn: (major) => `intégré, version ${major}.x`,
  builtInChat: (major) =>
    `intégré, pour bp chat et le paquet npm @botpress/chat ${major}.x`,
  webhook: 'Adresse du webhook',
  webhookHint: 'L’autre service envoie ici ses messages pour ce bot.',
  chatWebhookHint: 'Les clients du chat envoient leurs requêtes ici.',
  configuration: 'Configuration',
  configurationType: 'Type de configuration',
  usualType: 'Par défaut',
  noConfiguration: 'L’intégration n’a pas de configuration.',
  saved: 'La configuration a été enregistrée',
  remove: 'Retirer',
  removeTitle: (alias) => `Retirer ${alias}`,
  removed: (alias) => `L’intégration ${alias} a été retirée`,
  addressStops:
    'L’adresse de son webhook ne fonctionnera plus, et sa configuration sera supprimée.',
  codeNotSearched: 'Le code du bot qui appelle l’intégration n’est pas analysé.',
  breaks: 'Le bot perd sa connexion. Cela concerne :',
  breaksNothing:
    'Aucune conversation, aucun utilisateur, aucun plugin ni aucune référence de ce bot ne ' +
    'dépend de l’intégration.',
  chatStops: 'La page de chat et le chat sur les sites web ne fonctionneront plus.',
  chatGoesOn: (alias) =>
    `La page de chat et le chat sur les sites web utiliseront alors l’intégration ${alias} et sa ` +
    'configuration.',
  appearanceDeleted:
    'Le nom, le message d’accueil, les couleurs et la liste des sites web autorisés sont ' +
    'supprimés, même si vous la réinstallez.',
  thenEveryWebsite:
    'Tous les sites web pourront alors afficher le chat, jusqu’à ce que vous redéfinissiez la ' +
    'liste.',
  conversations: (count) => amount(count, 'conversation'),
  users: (count) => amount(count, 'utilisateur'),
  sandboxConversations: (count) => `${amount(count, 'conversation')} du numéro partagé`,
  schedule: (interval) => `Mise en service : ${interval}`,
  plugin: (alias) => `Plugin ${alias}`,
  reference: (path) => `Référence ${path}`,
  identifier: 'Adresse partagée',
  setup: 'Mise en place',
  setupHint: 'Relie l’intégration à un compte du service tiers, dans un autre onglet.',
  setUp: 'Connecter un compte',
  setUpAgain: 'Reconnecter',
  connectedAs: (identifier) => `Connecté en tant que ${identifier}`,
  identifierHint:
    'Tous les bots dotés de cette intégration partagent cette adresse. L’identifiant contenu ' +
    'dans une requête la dirige vers un bot. La plupart des intégrations le définissent ' +
    'elles-mêmes lors de leur mise en service.',
  identifierOfBot: 'Identifiant de ce bot',
  noIdentifier: 'aucun',
  identifierSaved: 'L’identifiant a été enregistré',
  identifierRemoved: 'L’identifiant a été retiré',
  sandbox: {
    title: 'Numéro partagé',
    hint:
      'Plusieurs bots partagent un numéro chez le service tiers. Une personne qui y envoie ' +
      'l’identifiant à partager de ce bot lui parle jusqu’à ce qu’elle envoie //leave. ' +
      'L’identifiant expire après 24 heures.',
    noId: 'Ce bot n’a pas d’identifiant à partager.',
    expired: 'L’identifiant à partager a expiré.',
    create: 'Créer un identifiant à partager',
    extend: 'Prolonger de 24 heures',
    linked: 'Conversations liées',
    noneLinked: 'Personne n’a encore envoyé l’identifiant à partager.',
    unlink: 'Tout délier',
    unlinkTitle: 'Délier toutes les conversations ?',
    unlinkText:
      'Ces personnes ne parleront plus à ce bot. Elles peuvent se lier de nouveau avec son ' +
      'identifiant à partager.',
    unlinked: 'Les conversations ont été déliées',
  },
  requests: 'Dernières requêtes',
  requestsHint: 'Envoyées à l’adresse du webhook. Le serveur garde les 100 dernières.',
  requestsNotRecorded: (page) =>
    'Le serveur n’enregistre pas les requêtes de cette intégration. ' +
    `Ses messages se trouvent sur la page ${page}.`,
  noRequests: 'Aucune requête pour le moment',
  time: 'Heure',
  request: 'Requête',
  status: 'Statut',
  duration: 'Durée',
  milliseconds: (ms) => `${thousands(ms)} ms`,
  failed: 'sans réponse',
  replay: 'Répéter',
  replayed: (status) =>
    status === undefined
      ? 'L’intégration n’a pas répondu'
      : `L’intégration a répondu ${status}`,
  repeated: 'répétée',
  details: 'Requête',
  headers: 'En-têtes',
  query: 'Paramètres d’URL',
  body: 'Corps',
  noBody: 'Aucun corps',
  binary: (bytes) => `Contenu binaire, ${amount(bytes, 'octet')}`,
  cut: (bytes) => `Début seulement, sur ${amount(bytes, 'octet')}`,
  response: 'Réponse',
}
