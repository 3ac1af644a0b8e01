import type { trace as English } from '../../en/bot/trace.ts'
import { amount, decimal, thousands } from '../amount.ts'

const threeDigits = { maximumSignificantDigits: 3 }

export const trace: typeof English = {
  title: 'Trace',
  none: 'Ce message ne provient d’aucun événement d’un utilisateur.',
  event: 'Événement',
  statuses: {
    pending: 'en attente',
    processed: 'traité',
    ignored: 'ignoré',
    failed: 'échec',
    scheduled: 'planifié',
    canceled: 'annulé',
  },
  status: 'Statut',
  run: (attempts, ms) =>
    attempts === 1
      ? `Traité en ${thousands(ms)} ms`
      : `La tentative ${attempts} a duré ${thousands(ms)} ms`,
  pending: 'Pas encore traité',
  failedAttempts: 'Tentatives échouées',
  attempt: (number) => `Tentative ${number}`,
  attemptFailed: (number) => `Échec de la tentative ${number}`,
  earlier: 'Avant le renvoi',
  answeredBy: (number, name) =>
    `Traité par la version ${number === undefined ? name : `#${number} ${name}`}`,
  levels: { debug: 'Débogage', info: 'Journal', warn: 'Avertissement', error: 'Erreur' },
  innerFrames: (count) =>
    `${amount(count, 'niveau', 'niveaux')} d’appel du serveur et de Node`,
  hookFailed: 'Un hook a échoué',
  codeFailed: 'Le code a échoué',
  timeline: 'Chronologie',
  timelineEmpty: 'Le code n’a fait aucun appel et n’a envoyé aucun message.',
  kinds: {
    call: 'Appel',
    change: 'État',
    action: 'Action',
    model: 'Modèle',
    message: 'Envoyé',
    event: 'Événement',
  },
  failed: (status) => `échec ${status}`,
  change: (from, to) => `${from} → ${to}`,
  noValue: 'rien',
  cached: 'en cache',
  modelUse: ({ inputTokens, outputTokens, cost, cached }) =>
    `${inputTokens} + ${outputTokens} tokens, ${cost.toLocaleString('fr', threeDigits)} $${
      cached ? ', en cache' : ''
    }`,
  steps: 'Étapes',
  calls: 'Appels',
  models: 'Modèles',
  messages: 'Messages',
  events: 'Événements',
  logs: 'Lignes de journal',
  logsOf: (attempt) => `Lignes de journal de la tentative ${attempt}`,
  errors: 'Erreurs',
  error: 'Erreur',
  ms: (ms) => `${thousands(ms)} ms`,
  at: (at, ms) =>
    ms === undefined
      ? `à ${thousands(at)} ms`
      : `à ${thousands(at)} ms, durée ${thousands(ms)} ms`,
  stepNames: {
    node: 'Nœud',
    card: 'Carte',
    hook: 'Hook',
    said: 'Envoyé',
    heard: 'Réponse',
    call: 'Appel',
    model: 'Modèle',
    tool: 'Outil',
    set: 'Variable',
    note: 'Note',
  },
  json: 'Trace en JSON',
  details: 'Détails pour développeurs',
  /** Events, types of messages and hooks. Other names are written as words. */
  names: {
    message_created: 'Message reçu',
    message_updated: 'Message modifié',
    message_deleted: 'Message supprimé',
    conversation_started: 'Conversation commencée',
    participant_added: 'Participant ajouté',
    state_expired: 'État expiré',
    child_workflow_finished: 'Partie d’un workflow terminée',
  },
  /** Of a user, to the question of a card. */
  answers: {
    captured: 'Acceptée comme réponse à la question',
    again: 'N’a pas répondu à la question. Le bot l’a reposée',
    failed: 'N’a pas répondu à la question. Le flux a continué',
    cancelled: 'L’utilisateur a annulé',
  },
  curatedAnswer: 'Envoyée : votre réponse à',
  found: 'Passages trouvés',
  explainSearch: 'Expliquer cette recherche',
  noPassages: 'Aucun passage n’a été trouvé.',
  nonePassed: (score, minScore) =>
    'Aucun passage n’a atteint le score minimal de sa base de connaissances. Le meilleur a un ' +
    `score de ${decimal(score)} ; le minimum est ${decimal(minScore)}.`,
  passage: (name, page, score, minScore) =>
    `${name}${page === undefined ? '' : `, page ${page}`} (score ${decimal(score)}${
      minScore === null ? '' : `, sous le minimum ${decimal(minScore)} : non utilisé`
    })`,
  left: (count) => amount(count, 'autre étape', 'autres étapes'),
}
