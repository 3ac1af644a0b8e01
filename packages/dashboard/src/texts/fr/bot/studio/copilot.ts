import type { copilot as English } from '../../../en/bot/studio/copilot.ts'
import { amount, thousands } from '../../amount.ts'

export const copilot: typeof English = {
  title: 'Copilote',
  close: 'Fermer le copilote',
  noModel: 'Il n’y a pas de modèle de langage pour le copilote',
  noModelHint:
    'Configurez-en un dans les paramètres du serveur, sous « Modèle de langage », ou demandez-le ' +
    'à l’exploitant de ce serveur.',
  toSettings: 'Paramètres du serveur',
  request: 'Que doit faire le bot ?',
  requestHint:
    'Décrivez un nouveau bot ou une modification, ou posez une question sur ce bot.',
  send: 'Envoyer',
  suggestions: 'Suggestions',
  explainFlow: 'Expliquer ce flux',
  writeTests: 'Écrire des tests',
  whyFailed: 'Pourquoi cet échec ?',
  explainRequest: (flow) => `Expliquez le flux ${flow} en quelques phrases.`,
  testsRequest: (flow) => `Écrivez des tests pour le flux ${flow}.`,
  failedRequest: 'Pourquoi le bot a-t-il mal répondu dans cette conversation : ',
  today: (dollars, maxDollars, tokens, maxTokens) =>
    `Aujourd’hui : ${dollars} sur ${maxDollars}, ${thousands(tokens)} tokens sur ` +
    `${thousands(maxTokens)}`,
  cost: (dollars, tokens) => `${dollars}, ${amount(tokens, 'token')}`,
  states: { running: 'En cours…', done: 'Terminé', stopped: 'Arrêté', failed: 'Échec' },
  stop: 'Arrêter',
  steps: 'Étapes',
  tools: {
    read_schema: 'Lit le format',
    list_examples: 'Cherche des exemples',
    read_example: 'Lit un exemple',
    read_draft: 'Lit le brouillon',
    list_names: 'Cherche des noms',
    edit_draft: 'Modifie une copie',
    check_document: 'Vérifie la copie',
    run_tests: 'Exécute les tests',
    read_trace: 'Lit une conversation',
    verify: 'Vérifie et teste le résultat',
  },
  changes: 'Modifications proposées :',
  passed: (count) =>
    `La vérification ne trouve aucun problème ; ${amount(count, 'test réussi', 'tests réussis')}.`,
  apply: 'Appliquer',
  applied: 'Les modifications sont dans le brouillon. « Annuler » les retire.',
  nothingToApply: 'Le brouillon contient déjà ces modifications',
  earlier: 'Demandes précédentes',
}
