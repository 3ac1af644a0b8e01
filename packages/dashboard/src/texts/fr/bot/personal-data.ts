import type { personalData as English } from '../../en/bot/personal-data.ts'
import { amount } from '../amount.ts'

export const personalData: typeof English = {
  title: 'Données personnelles',
  hint:
    'Tout ce que le serveur conserve sur cette personne. L’effacement supprime aussi les ' +
    'journaux, les traces et les lignes de tables, que « Supprimer l’utilisateur » conserve.',
  export: 'Exporter les données',
  erase: 'Effacer…',
  eraseTitle: 'Effacer les données de cette personne',
  eraseNow: 'Effacer',
  eraseHint:
    'Efface partout ce qui suit, y compris ce qui arrive pendant l’effacement. Dans les ' +
    'conversations à plusieurs, les messages des autres personnes restent. Cette action est ' +
    'irréversible.',
  confirmation: 'effacer',
  wholePerson: (count) =>
    `Et aussi ${amount(count, 'autre utilisateur', 'autres utilisateurs')} de la même personne`,
  wholePersonHint: 'Sinon, cet utilisateur en est d’abord séparé.',
  unsearchedTables:
    'Non pris en compte, car aucune colonne de ces tables n’est marquée comme contenant des ' +
    'identifiants d’utilisateurs. Marquez-en une dans le menu de la colonne, ou vérifiez les ' +
    'lignes vous-même :',
  backups: 'Ces sauvegardes contiennent encore la personne :',
  erasing: 'Effacement…',
  erasingHint: 'Le serveur continue même si vous quittez cette page.',
  erased: 'Les données ont été effacées',
  erasedHint:
    'Gardez l’attestation : elle prouve l’effacement et permet de le refaire après la ' +
    'restauration d’une sauvegarde. La page « Confidentialité » affiche et vérifie toutes les ' +
    'attestations.',
  returns:
    'Si la personne écrit de nouveau au bot, le serveur crée un nouvel utilisateur, sans les ' +
    'données effacées.',
  download: 'Télécharger l’attestation',
  kinds: {
    addresses: 'Adresses',
    recordings: 'Enregistrements d’appels de modèles',
    traces: 'Traces',
    deliveryAttempts: 'Tentatives de livraison échouées',
    deadLetters: 'Livraisons en échec',
    actionRuns: 'Exécutions d’actions',
    logs: 'Lignes de journal',
    observations: 'Traces de flux avec leurs textes, et mesures du code du bot',
    issueEvents: 'Événements d’incidents',
    issues: 'Incidents sans événements d’autres personnes',
    modelCalls: 'Appels de modèles',
    notifications: 'Notifications d’intégrations',
    webhookRequests: 'Requêtes de webhook enregistrées de l’intégration',
    storedResponses: 'Réponses gardées pour les requêtes répétées',
    rateCounters: 'Compteurs des limites de débit',
    feedback: 'Avis',
    notes: 'Notes',
    handoffs: 'Transferts',
    broadcasts: 'Destinataires de diffusions',
    optOuts: 'Désinscriptions des diffusions',
    scheduledMessages: 'Messages planifiés',
    states: 'États',
    workflows: 'Workflows',
    files: 'Fichiers',
    tableRows: 'Lignes de tables',
    signals: 'Indicateurs de saisie et autres signaux des chats',
    events: 'Événements',
    messages: 'Messages',
    conversations: 'Conversations sans autres personnes',
    users: 'Utilisateurs',
  },
}
