import type { serverSettings as English } from '../en/server-settings.ts'
import { amount } from './amount.ts'

export const serverSettings: typeof English = {
  title: 'Paramètres du serveur',
  hint:
    'Paramètres de toute l’installation. Une modification prend effet aussitôt, sur tous les ' +
    'serveurs, sans redémarrage. Les clés et les mots de passe sont chiffrés et ne sont plus ' +
    'jamais affichés.',
  setBy: (variable) => `Défini par ${variable} sur le serveur`,
  setByHint:
    'Une variable d’environnement l’emporte sur cette page. Pour modifier le paramètre ici, ' +
    'retirez la variable sur le serveur et redémarrez-le.',
  test: 'Tester',
  testing: 'Test en cours…',
  works: 'Cela fonctionne',
  worksNot: 'Cela ne fonctionne pas',
  notSaved: 'Pas encore enregistré.',
  saveAnyway: 'Enregistrer quand même',
  remove: 'Retirer',
  removeOne: (setting) => `Retirer le paramètre « ${setting} »`,
  removeText: 'Le serveur revient aussitôt à sa valeur par défaut.',
  removed: 'Retiré',
  stored: 'enregistré',
  storedHint: 'Laissez vide pour garder la valeur enregistrée.',
  address: {
    title: 'Adresse publique',
    hint:
      'L’adresse à laquelle les visiteurs, les messageries et les membres joignent ce serveur ' +
      'depuis internet. Les liens, les webhooks et le code pour les sites web la contiennent.',
    url: 'Adresse',
    placeholder: 'https://bots.example.org',
    inUse: (url) => `Utilisée actuellement : ${url}`,
    removeText:
      'Les liens et les webhooks utiliseront l’adresse sur laquelle le serveur écoute.',
    after:
      'Après une modification, enregistrez de nouveau la configuration de chaque messagerie ' +
      'connectée : elle envoie encore à l’ancienne adresse. Les membres se reconnectent à la ' +
      'nouvelle.',
    open: (url) => `Ouvrir le tableau de bord à l’adresse ${url}`,
  },
  model: {
    title: 'Modèle de langage',
    hint:
      'Le modèle `auto` de tous les bots, colonnes calculées et cartes d’IA. Son fournisseur ' +
      'reçoit les textes que les bots lui envoient, et vous les facture.',
    type: 'Fournisseur',
    types: {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      mistral: 'Mistral',
      'openai-compatible': 'Un autre, ou un modèle sur votre machine',
    },
    url: 'Adresse',
    urlHint:
      'Celle d’une API compatible avec OpenAI ; elle se termine en général par /v1. Ollama : ' +
      'http://127.0.0.1:11434/v1',
    ownUrl: 'celle du fournisseur',
    model: 'Modèle',
    modelHint: 'Le nom exact, tel que l’écrit la documentation du fournisseur.',
    key: 'Clé',
    removeText:
      'Les bots et les colonnes qui ont besoin d’un modèle échouent jusqu’à ce qu’il y en ait un ' +
      'autre.',
  },
  embeddings: {
    title: 'Recherche par le sens',
    hint:
      'Le modèle qui compare les questions à vos documents. Sans lui, le modèle inclus ' +
      'fonctionne sur cette machine ; il ne connaît que l’anglais. Après une modification, le ' +
      'serveur recalcule tous les documents, ce qui prend de quelques minutes à quelques ' +
      'heures ; pendant ce temps, il cherche par mots.',
    removeText:
      'Le serveur continue avec le modèle inclus et recalcule tous les documents.',
  },
  backups: {
    title: 'Planification des sauvegardes',
    hint:
      'Sauvegardes de toute l’installation. La page « Installation » les affiche et permet d’en ' +
      'restaurer une.',
    when: 'Quand',
    times: {
      '0 3 * * *': 'Chaque nuit à 3 h 00 UTC',
      '0 */6 * * *': 'Toutes les six heures',
      '0 3 * * 0': 'Le dimanche à 3 h 00 UTC',
      other: 'Un autre moment',
    },
    schedule: 'Planification',
    scheduleHint:
      'Cinq champs cron en UTC : minute, heure, jour, mois, jour de la semaine. `30 2 * * 1-5`',
    keep: 'Nombre de sauvegardes à garder',
    verify: 'Tester la restauration de chacune',
    verifyHint:
      'Dans une base de données temporaire, qui demande autant d’espace libre que la sauvegarde ' +
      'restaurée.',
    removeText:
      'Le serveur ne fait plus de sauvegardes automatiques. Celles qui existent sont gardées.',
  },
  mail: {
    title: 'Serveur de messagerie',
    hint:
      'Envoie les invitations aux membres, et un avis à vous-même si une sauvegarde échoue. ' +
      'Utilisez une boîte de votre fournisseur et, s’il en propose, un mot de passe ' +
      'd’application.',
    host: 'Serveur SMTP',
    port: 'Port du serveur SMTP',
    security: 'Chiffrement SMTP',
    securities: {
      tls: 'TLS dès le début (en général port 465)',
      starttls: 'STARTTLS (en général port 587)',
      none: 'Aucun : uniquement dans votre réseau',
    },
    user: 'Utilisateur',
    userHint:
      'En général l’adresse e-mail. Vide si le serveur ne demande pas de connexion.',
    password: 'Mot de passe',
    from: 'Expéditeur',
    fromPlaceholder: 'Assistance <assistance@example.org>',
    recipient: 'Envoyer l’e-mail de test à',
    removeText: 'Les invitations redeviennent des liens que vous transmettez vous-même.',
    pending: (count) => amount(count, 'e-mail en attente', 'e-mails en attente'),
    failed: (recipient, time) =>
      `L’e-mail du ${time} à ${recipient} n’a pas été envoyé :`,
  },
}
