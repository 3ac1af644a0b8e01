import type { privacy as English } from '../../en/bot/privacy.ts'
import { amount } from '../amount.ts'

export const privacy: typeof English = {
  title: 'Confidentialité',
  retention: 'Conservation',
  retentionHint:
    'Le serveur supprime les données de ce bot après ce nombre de jours. Un champ vide les ' +
    'conserve, dans la limite fixée par l’installation.',
  days: (days) => amount(days, 'jour'),
  inDays: (kind) => `${kind} (jours)`,
  limit: (days) => `Au maximum ${amount(days, 'jour')} sur cette installation`,
  noLimit: 'Conserver sans limite',
  save: 'Enregistrer…',
  saveTitle: 'Modifier la conservation',
  saveNow: 'Enregistrer et supprimer',
  nothing:
    'Rien ne dépasse ces durées actuellement. Le serveur supprimera les données à mesure ' +
    'qu’elles vieillissent.',
  deletes: 'Le serveur va supprimer dès maintenant, en arrière-plan :',
  inFlight:
    'Les données en cours d’utilisation restent : livraisons en attente, transferts ouverts, ' +
    'workflows en cours, messages planifiés.',
  kinds: {
    conversations: 'Conversations',
    messages: 'Messages',
    events: 'Événements',
    users: 'Utilisateurs sans conversations',
    files: 'Fichiers d’utilisateurs',
    logs: 'Lignes de journal',
    traces: 'Traces',
    issues: 'Incidents',
    deadLetters: 'Livraisons en échec',
    webhookRequests: 'Requêtes de webhook enregistrées',
    recordings: 'Enregistrements d’appels de modèles',
    tableRows: 'Lignes de tables d’utilisateurs',
  },
  hints: {
    conversations: 'Avec messages, événements et états, après la dernière activité',
    messages: 'Selon leur âge, même dans les conversations actives',
    events: 'Selon leur âge, même dans les conversations actives',
    users: 'Avec leurs états, après leur dernière modification',
    files: 'Après leur dernière modification',
    traces: 'Les étapes du bot pour chaque message, avec mesures et exécutions d’actions',
    issues: 'Après leur dernier événement',
    deadLetters: 'Événements et messages que le serveur n’a pas pu livrer',
    recordings:
      'Si le serveur les enregistre, après le dernier appel avec la même requête',
    tableRows:
      'Avec un utilisateur dans une colonne marquée comme contenant des identifiants ' +
      'd’utilisateurs, après leur dernière modification. Les autres lignes restent',
  },
  redaction: {
    title: 'Masquage',
    hint:
      'Le serveur remplace ce qu’il reconnaît dans les nouvelles données. Stockage : messages ' +
      'des personnes, événements, transferts, commentaires des avis et données des visiteurs ; ' +
      'le bot reçoit alors aussi le texte remplacé. Journaux : également traces et incidents. ' +
      'Modèles : prompts. Si un motif personnalisé est trop lent pour un texte, le serveur ' +
      'remplace tout le texte, et un incident nomme le motif.',
    storageEffect:
      'Les bots reçoivent le texte remplacé : si le bot demande une telle donnée, il n’obtient ' +
      'jamais de réponse.',
    asksFor: (questions) =>
      `Ce bot la demande : ${questions.map((question) => `« ${question} »`).join(', ')}.`,
    installation: (kinds) =>
      `Pour tous les bots de cette installation : ${kinds.join(', ')}`,
    kinds: {
      email: 'Adresses e-mail',
      phone: 'Numéros de téléphone',
      card: 'Numéros de carte',
      iban: 'IBAN',
      custom: 'Motif personnalisé',
    },
    places: { storage: 'Stockage', logs: 'Journaux', models: 'Modèles' },
    where: 'emplacements',
    pattern: 'Motif',
    replacement: 'Remplacement',
    add: 'Ajouter un motif',
    remove: 'Retirer',
    try: 'Tester un texte',
    tryHint: 'Le texte n’est pas conservé.',
    show: 'Afficher le résultat',
    noMatch: 'Rien n’est reconnu.',
  },
  count: 'Compter ce qui serait supprimé',
  erasures: {
    title: 'Effacements',
    hint:
      'Chaque effacement d’une personne a une attestation signée par le serveur. Elle prouve ' +
      'l’effacement et ne contient aucune donnée personnelle.',
    none: 'Aucune personne n’a encore été effacée.',
    erased: 'effacé',
    running: 'en cours, commencé',
    verify: 'Vérifier',
    verifyOf: (user) => `Vérifier l’attestation : ${user}`,
    verifyFile: 'Vérifier un fichier d’attestation',
    download: 'Télécharger',
    downloadOf: (user) => `Télécharger l’attestation : ${user}`,
    valid: 'Valable : ce serveur a signé l’attestation, et elle est inchangée.',
    of: (user) => `Données effacées (${user}) :`,
    reasons: {
      MALFORMED: 'Non valable : ce n’est pas une attestation d’effacement.',
      MODIFIED: 'Non valable : l’attestation a été modifiée après sa signature.',
      OTHER_SIGNER: 'Non valable : un autre serveur a signé l’attestation.',
    },
  },
  people: 'Données d’une personne',
  peopleHint:
    'Ouvrez un utilisateur pour exporter ou effacer tout ce qui concerne cette personne.',
  peopleReadOnly:
    'Ouvrez un utilisateur pour voir les données de cette personne. Les développeurs, ' +
    'responsables, administrateurs et propriétaires de l’espace de travail peuvent y tout ' +
    'exporter ou effacer.',
  toUsers: 'Choisir un utilisateur',
  byMessage: (link) =>
    'Les visiteurs n’ont souvent pas de nom. Pour trouver une personne d’après un message, par ' +
    `exemple une adresse e-mail, utilisez « ${link} ».`,
  toMessages: 'Rechercher dans les messages',
}
