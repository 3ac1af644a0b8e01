import type { persons as English } from '../../en/bot/persons.ts'
import { amount } from '../amount.ts'

export const persons: typeof English = {
  title: 'Même personne',
  hint:
    'Les utilisateurs d’autres canaux qui sont la même personne. Ils partagent les variables que ' +
    'le bot garde pour un utilisateur.',
  none: 'Aucun autre utilisateur',
  addresses: 'Adresses',
  noAddresses: 'Aucune adresse',
  proofs: {
    'mail-server': 'vérifiée par le serveur de messagerie',
    provider: 'vérifiée par le fournisseur',
    signature: 'dans une clé d’utilisateur signée',
    account: 'vérifiée par un membre',
    bot: 'vérifiée par le bot',
  },
  claimed: 'non vérifiée',
  alsoClaimed: 'aussi utilisée sans preuve',
  joined: {
    email: 'fusion par adresse e-mail',
    phone: 'fusion par numéro de téléphone',
    id: 'fusion par identifiant signé',
    account: 'fusion par un membre',
    bot: 'fusion par le bot',
  },
  suggestions: 'Peut-être la même personne',
  suggestion: (address) => `écrit aussi sous ${address}`,
  merge: 'Fusionner',
  mergeWith: (name) => `Fusionner avec ${name}`,
  mergeTitle: 'Fusionner deux utilisateurs ?',
  mergeText:
    'Les deux partagent les variables que le bot garde pour un utilisateur. Quand les deux ont ' +
    'une valeur, la plus récente l’emporte. Leurs conversations restent dans leurs canaux. Vous ' +
    'pourrez les séparer de nouveau.',
  merged: 'Les utilisateurs sont une seule personne',
  other: 'Autre utilisateur',
  apart: 'Personnes différentes',
  keptApart: 'Les utilisateurs restent séparés',
  split: 'Séparer',
  splitOff: (name) => `Séparer ${name}`,
  splitTitle: 'Séparer cet utilisateur ?',
  splitText:
    'Il retrouve les variables qu’il avait avant la fusion, avec ce qui a été écrit depuis dans ' +
    'ses propres conversations. Aucune règle ne fusionnera de nouveau ces utilisateurs.',
  isSplit: 'L’utilisateur est de nouveau une personne à part',
  rules: {
    button: 'Même personne',
    title: 'Utilisateurs qui sont une seule personne',
    hint: 'Fusionner des utilisateurs quand l’un d’eux écrit et que les deux ont en commun, vérifié :',
    kinds: {
      email: 'Adresse e-mail',
      phone: 'Numéro de téléphone',
      id: 'Identifiant signé',
    },
    kindHints: {
      email: 'D’après le serveur de messagerie ou une clé d’utilisateur signée',
      phone: 'De SMS, de WhatsApp ou d’une clé d’utilisateur signée',
      id: 'De clés d’utilisateur que vous signez, ou d’après votre bot',
    },
    about: 'Comment les adresses sont vérifiées',
    found: 'Suggestions',
    noSuggestions: 'Aucun utilisateur n’a la même adresse qu’un autre',
    users: (count) => amount(count, 'utilisateur'),
  },
}
