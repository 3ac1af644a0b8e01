/** Problems that the check of a document finds, by their English sentences with `{}` for each value. */
export const problems: Record<string, string> = {
  'has more than {} characters. Shorten it':
    'contient plus de {1} caractères. Raccourcissez-le',
  'requires `flows`. Add `flows`, or remove this field':
    'nécessite `flows`. Ajoutez `flows`, ou supprimez ce champ',
  ['a letter, then letters, digits and "_", at most 64 characters; "-" only in names of ' +
    'flows, nodes, triggers and knowledge bases']:
    'une lettre, puis des lettres, des chiffres et « _ », 64 caractères au maximum ; « - » ' +
    'seulement dans les noms de flux, d’étapes, de déclencheurs et de bases de connaissances',
  'is not a valid name. Use {}': 'n’est pas un nom valide. Utilisez {1}',
  ['is no variable. Write its scope and its name, such as `workflow.city`: the scope is ' +
    '`workflow`, `conversation`, `user` or `bot`; the name has letters, digits and "_"']:
    'n’est pas une variable. Écrivez sa portée et son nom, comme `workflow.city` : la portée ' +
    'est `workflow`, `conversation`, `user` ou `bot` ; le nom comporte des lettres, des ' +
    'chiffres et « _ »',
  'does not have the form of this field': 'n’a pas la forme attendue pour ce champ',
  'is empty. Fill it in, or remove it': 'est vide. Remplissez ce champ, ou supprimez-le',
  'needs at least {} characters': 'doit contenir au moins {1} caractères',
  'needs at least {} {}': 'doit contenir au moins {1} {2}',
  element: 'élément',
  elements: 'éléments',
  'has more than {} elements. Remove some': 'contient plus de {1} éléments. Supprimez-en',
  'has more than {} entries. Remove some': 'contient plus de {1} entrées. Supprimez-en',
  'must be at least {}': 'doit être au moins {1}',
  'must be at most {}': 'doit être au plus {1}',
  'is invalid': 'n’est pas valide',
  'is not a known field. Correct its name, or remove it':
    'n’est pas un champ connu. Corrigez son nom, ou supprimez-le',
  'is missing. Add it': 'manque. Ajoutez-le',
  'must be {}': 'doit être {1}',
  'must be one of {}': 'doit être l’un de : {1}',
  'has none of the forms that this field allows. See docs/flows.md for them':
    'n’a aucune des formes permises pour ce champ. Elles sont dans docs/flows.md',
  'is empty. Write what the bot says': 'est vide. Écrivez ce que dit le bot',
  'repeats without end: {}. Add a card that waits or decides, or lead elsewhere':
    'se répète sans fin : {1}. Ajoutez une carte qui attend ou décide, ou menez ailleurs',
  'has {{ }} and more than {} characters. Shorten it':
    'contient {{ }} et plus de {1} caractères. Raccourcissez-le',
  'needs a language model, and the server has none, so it fails. Configure one, or remove it':
    'nécessite un modèle de langage ; le serveur n’en a pas, donc cette partie échoue. ' +
    'Configurez-en un, ou supprimez-la',
  'was not imported, and does nothing. Build this part, or remove it':
    'n’a pas été importé et ne fait rien. Recréez cette partie, ou supprimez-la',
  'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"':
    'contient « {{ » sans « }} » : les utilisateurs voient les accolades. Ajoutez « }} », ou ' +
    'écrivez « \\{{ »',
  'names {}, which is not in {}. Add it, or correct the name':
    'nomme {1}, qui n’existe pas dans {2}. Ajoutez cet élément, ou corrigez le nom',
  'the node "{}"': 'l’étape « {1} »',
  'this flow': 'ce flux',
  'the flow "{}"': 'le flux « {1} »',
  'the variable "{}"': 'la variable « {1} »',
  '`variables`, `inputs` or `outputs` of this flow':
    '`variables`, `inputs` ou `outputs` de ce flux',
  'names the action "{}", which has no `code` in `actions`. Add it, or correct the name':
    'nomme l’action « {1} », qui n’a pas de `code` dans `actions`. Ajoutez-le, ou corrigez le ' +
    'nom',
  'the integration "{}"': 'l’intégration « {1} »',
  'the knowledge base "{}"': 'la base de connaissances « {1} »',
  'names a variable of type "{}" for a value of type "{}". Change one of the two':
    'nomme une variable de type « {1} » pour une valeur de type « {2} ». Changez l’un des deux',
  'names the file "{}", which does not exist. Add it beside the document, or correct the path':
    'nomme le fichier « {1} », qui n’existe pas. Ajoutez-le à côté du document, ou corrigez le ' +
    'chemin',
  'is not in `{}` of the flow "{}". Declare it there, or remove it':
    'n’est pas dans `{1}` du flux « {2} ». Déclarez-le à cet endroit, ou supprimez-le',
  'is missing. Add the flow "main", in which conversations start':
    'manque. Ajoutez le flux « main », dans lequel les conversations commencent',
  'cannot be combined with `flows`. Remove one of the two':
    'est incompatible avec `flows`. Supprimez l’un des deux',
  'must not begin with "{}", which is reserved for the engine. Rename it':
    'ne doit pas commencer par « {1} », qui est réservé. Changez le nom',
  'must have exactly one node of type "{}"':
    'doit avoir exactement une étape de type « {1} »',
  'must have at most one node of type "exception"':
    'doit avoir au plus une étape de type « exception »',
  'must be "{}": only {} a node of type "{}"':
    'doit être « {1} » : {2} une étape de type « {3} »',
  'the flow "main" has': 'seul le flux « main » a',
  'flows other than "main" have': 'seuls les flux autres que « main » ont',
  'has the name of a variable of this flow. Rename one of the two':
    'porte le nom d’une variable de ce flux. Renommez l’un des deux',
  'is not allowed in a node of type "{}". Remove it, or change the type':
    'n’est pas permis dans une étape de type « {1} ». Supprimez-le, ou changez le type',
  'is missing. The kind "{}" requires it': 'manque. Le type « {1} » l’exige',
  'is missing. The kind "regex" requires it': 'manque. Le type « regex » l’exige',
  'is not a valid RE2 pattern: {}': 'n’est pas un motif RE2 valide : {1}',
  'requires `timeout`. Add `timeout`, or remove this field':
    'nécessite `timeout`. Ajoutez `timeout`, ou supprimez ce champ',
  ['names nothing to search. Add a knowledge base to `knowledgeBases` of the document, or ' +
    'set `tags` of the card']:
    'ne nomme rien où chercher. Ajoutez une base de connaissances à `knowledgeBases` du ' +
    'document, ou définissez `tags` de la carte',
  'cannot be combined with `knowledgeBases`. Remove one of the two':
    'est incompatible avec `knowledgeBases`. Supprimez l’un des deux',
  'has no effect with `into`, with which the card sends no message. Remove one of the two':
    'n’a pas d’effet avec `into`, avec lequel la carte n’envoie pas de message. Supprimez l’un ' +
    'des deux',
  'the table "{}"': 'la table « {1} »',
  'is missing. The operation "{}" requires it': 'manque. L’opération « {1} » l’exige',
  'is missing. The operation "{}" requires `row` or `rows`':
    'manque. L’opération « {1} » exige `row` ou `rows`',
  'is missing. The operation "delete" requires `id` or `filter`':
    'manque. L’opération « delete » exige `id` ou `filter`',
  'has no effect for the kind "{}". Remove it, or change `kind`':
    'n’a pas d’effet pour le type « {1} ». Supprimez-le, ou changez `kind`',
  'requires `byModel`. Add `"byModel": true`, or remove this field':
    'nécessite `byModel`. Ajoutez `"byModel": true`, ou supprimez ce champ',
  'must have the type of the variable, "{}"':
    'doit avoir le type de la variable, « {1} »',
  'the node "{}" of type "trigger"': 'l’étape « {1} » de type « trigger »',
  'must be a cron expression of five fields that matches a date, such as "0 9 * * *" (UTC)':
    'doit être une expression cron à cinq champs qui correspond à une date, comme « 0 9 * * ' +
    '* » (UTC)',
  'is not a valid JSON Schema: {}': 'n’est pas un schéma JSON valide : {1}',
  'is nested too deeply. Simplify it': 'est imbriqué trop profondément. Simplifiez-le',
  'must not contain `{}`. Write the schema in its place':
    'ne doit pas contenir `{1}`. Écrivez le schéma à cet endroit',
  'has the pattern {}, which is not valid in RE2':
    'contient le motif {1}, qui n’est pas valide en RE2',
  'ends a conversation': 'termine une conversation',
  'talks with a user': 'parle avec un utilisateur',
  ['cannot be in the tool "{}": it {}, and tools have no conversation. Remove it, or remove ' +
    '`tool` from the flow "{}"']:
    'ne peut pas être dans l’outil « {1} » : cet élément {2}, et les outils n’ont pas de ' +
    'conversation. Supprimez-le, ou supprimez `tool` du flux « {3} »',
  waits: 'attend',
  'sets the timeout of a conversation': 'définit le délai d’une conversation',
  'tags a {}': 'ajoute un tag (`{1}`)',
  'sends to the current conversation': 'envoie à la conversation en cours',
  'sets a variable of a conversation or a user':
    'définit une variable de conversation ou d’utilisateur',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "pt-BR"':
    'n’est pas un code de langue BCP 47 : « {1} ». Utilisez-en un comme « de » ou « pt-BR »',
  'must be written as "{}"': 'doit s’écrire « {1} »',
  'is the key of several cards: "{}". Give each another key':
    'est la clé de plusieurs cartes : « {1} ». Donnez à chacune une autre clé',
  'belongs to no text of the bot. Correct the key, or remove it':
    'n’appartient à aucun texte du bot. Corrigez la clé, ou supprimez-la',
  'has no {{ {} }}, which the original has. Add it':
    'n’a pas {{ {1} }}, présent dans l’original. Ajoutez-le',
  'has {{ {} }}, which the original does not have. {}':
    'contient {{ {1} }}, absent de l’original. {2}',
  'Did you mean `{}`?': 'Vouliez-vous dire `{1}` ?',
  'Remove it': 'Supprimez-le',
  ['has no translation of {} {}: people with this language read the original. Translate ' +
    'them, or leave them']:
    'n’a pas de traduction pour {1} {2} : les personnes de cette langue lisent l’original. ' +
    'Traduisez-les, ou laissez-les',
  text: 'texte',
  texts: 'textes',
  'has {} {} of an earlier original, which people read. Check whether they still fit':
    'contient {1} {2} d’un original antérieur, que les personnes lisent. Vérifiez si elles ' +
    'conviennent encore',
  translation: 'traduction',
  translations: 'traductions',
  'uses the variable "{}", which is not declared. {}':
    'utilise la variable « {1} », qui n’est pas déclarée. {2}',
  'Declare it, or correct the name': 'Déclarez-la, ou corrigez le nom',
  'reads "{}", but a variable of type "{}" has no member "{}". {}':
    'lit « {1} », mais une variable de type « {2} » n’a pas de membre « {3} ». {4}',
  'Correct the name': 'Corrigez le nom',
  'is missing. An action of an integration requires it':
    'manque. Une action d’une intégration l’exige',
  'is not allowed: the action of the bot declares its input. Remove it':
    'n’est pas permis : l’action du bot déclare son entrée. Supprimez-le',
  'is not allowed: the server runs each call of an integration once. Remove it':
    'n’est pas permis : le serveur exécute chaque appel d’une intégration une seule fois. ' +
    'Supprimez-le',
  'names the action "{}", whose input schema {}':
    'nomme l’action « {1} », dont le schéma d’entrée {2}',
  'has nothing to search. Add a knowledge base to `knowledgeBases` of the document':
    'n’a rien où chercher. Ajoutez une base de connaissances à `knowledgeBases` du document',
  'requires `keyColumn` of the table "{}". Add it there, or remove the operation':
    'nécessite `keyColumn` de la table « {1} ». Ajoutez-le à cette table, ou supprimez ' +
    'l’opération',
  'is missing. Describe when the model takes this exit, or add `when`':
    'manque. Décrivez quand le modèle prend cette sortie, ou ajoutez `when`',
  'requires `description`: only the model gives values. Add it, or remove this field':
    'nécessite `description` : seul le modèle donne des valeurs. Ajoutez-le, ou supprimez ce ' +
    'champ',
  'has the name "{}", which models reject. Set a shorter name':
    'porte le nom « {1} », que les modèles refusent. Choisissez un nom plus court',
  'must not have the reserved name "{}". Set another `name`':
    'ne doit pas porter le nom réservé « {1} ». Choisissez un autre `name`',
  'has the name "{}", as {}. Set another `name`, or remove one':
    'porte le nom « {1} », comme {2}. Choisissez un autre `name`, ou supprimez l’un des deux',
  'The text is not a JavaScript expression: {}':
    'Le texte n’est pas une expression JavaScript : il {1}',
  'The text in {{ }} is not a JavaScript expression: {}':
    'Le texte entre {{ }} n’est pas une expression JavaScript : il {1}',
  'names a language without known conventions: "{}". Use one such as "de"':
    'nomme une langue dont les conventions sont inconnues : « {1} ». Utilisez-en une comme ' +
    '« de »',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "en-GB"':
    'n’est pas un code de langue BCP 47 : « {1} ». Utilisez-en un comme « de » ou « en-GB »',
  '"" is empty': 'il est vide',
  '"{}" begins with a comment': '« {1} » commence par un commentaire',
  '"{}" is incomplete': '« {1} » est incomplet',
  '"{}" fails with "{}"': '« {1} » échoue avec « {2} »',
  '"{}" is not one expression': '« {1} » n’est pas une seule expression',
  'is not a language of the wizard. Use en, de, fr, es, it, pt or nl':
    'n’est pas une langue de l’assistant. Utilisez en, de, fr, es, it, pt ou nl',
  'is empty. Fill it in': 'est vide. Remplissez ce champ',
  'must be a whole number from {} to {}': 'doit être un nombre entier de {1} à {2}',
  'is empty. Add a question': 'est vide. Ajoutez une question',
  'has more than {} questions. Remove some':
    'contient plus de {1} questions. Supprimez-en',
  'needs the ids q1, q2 and so on': 'doit avoir les identifiants q1, q2, etc.',
  'has two questions with the same id':
    'contient deux questions avec le même identifiant',
  'needs at least two choices, a line for each':
    'doit avoir au moins deux choix, un par ligne',
  'has more than 50 choices. Remove some': 'contient plus de 50 choix. Supprimez-en',
  'has a choice that {}': 'contient un choix qui {1}',
  'has the same choice twice. Remove one':
    'contient deux fois le même choix. Supprimez-en un',
  'must be times in their order, such as 09:00-12:00, 13:00-17:00':
    'doit indiquer des heures dans l’ordre, comme 09:00-12:00, 13:00-17:00',
  'needs seven days, from Monday to Sunday':
    'doit avoir sept jours, du lundi au dimanche',
  'is empty, and so are all days. Enter the times of a day':
    'est vide, comme tous les jours. Saisissez les heures d’un jour',
  'is longer than the times of each day': 'dépasse les heures de chaque jour',
  'allows more than {} bookings a day. Lower it':
    'permet plus de {1} réservations par jour. Diminuez le nombre',
  'is not a time zone. Use a name such as Europe/Zurich':
    'n’est pas un fuseau horaire. Utilisez un nom comme Europe/Zurich',
  'is missing. Bookings need a table': 'manque. Les réservations demandent une table',
  'is missing. Choose a column': 'manque. Choisissez une colonne',
  'must be the key column of the table, whose values are unique':
    'doit être la colonne clé de la table, dont les valeurs sont uniques',
  'needs letters from A to Z': 'doit contenir des lettres de A à Z',
  'is not a column of the table': 'n’est pas une colonne de la table',
  'has another type. Choose a column of texts, or a new one':
    'a un autre type. Choisissez une colonne de textes, ou une nouvelle',
  'is already used for another answer': 'sert déjà pour une autre réponse',
  'would have more than {} columns': 'aurait plus de {1} colonnes',
  'is not a table of the bot': 'n’est pas une table du bot',
  'has other characters than letters, digits and "_", which flows need':
    'contient d’autres caractères que des lettres, des chiffres et « _ », seuls admis dans les ' +
    'flux',
  'is missing. Choose the table with the orders':
    'manque. Choisissez la table des commandes',
  'must be a column of texts or numbers': 'doit être une colonne de textes ou de nombres',
  'is the column with the number. Choose another one':
    'est la colonne du numéro. Choisissez-en une autre',
  'names {{}}, which is not a column. There are {}':
    'nomme {{1}}, qui n’est pas une colonne. Colonnes : {2}',
  'has more than 20 entries. Remove some': 'contient plus de 20 entrées. Supprimez-en',
  'has an entry of more than 60 characters. Shorten it':
    'contient une entrée de plus de 60 caractères. Raccourcissez-la',
  'is empty. Enter words with which the dialogue begins, or a button':
    'est vide. Saisissez des mots qui lancent le dialogue, ou un bouton',
  'has more than 60 characters. Shorten it':
    'contient plus de 60 caractères. Raccourcissez-le',
  'needs letters or digits': 'doit contenir des lettres ou des chiffres',
  'the bot has no secret "{}"; set it first':
    'Le bot n’a pas de secret « {1} ». Définissez-le d’abord',
  'integration "{}@{}" was not found or cannot be installed in this bot':
    'L’intégration « {1}@{2} » est introuvable ou ne peut pas être installée dans ce bot',
  'plugin "{}@{}" was not found or cannot be installed in this bot':
    'Le plugin « {1}@{2} » est introuvable ou ne peut pas être installé dans ce bot',
  'the bot has no knowledge base "{}": create it, or deploy with the command line':
    'Le bot n’a pas de base de connaissances « {1} ». Créez-la, ou déployez avec la ligne de commande',
  'must have the property "flows"': 'doit avoir la propriété « flows »',
}
