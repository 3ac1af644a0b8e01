/** Helps of the fields of flows, by their English texts in the schema of the document. */
export const helps: Record<string, string> = {
  'Name of the card in traces and in `event.state.context`':
    'Nom de la carte dans les traces et dans `event.state.context`',
  'Message, or the text of a text message': 'Message, ou texte d’un message texte',
  'Tags of the message': 'Tags du message',
  'Conversation to send to; by default the current one':
    'Conversation à laquelle envoyer ; par défaut, la conversation en cours',
  'Kind of answer': 'Type de réponse',
  'Message that the bot sends before it waits':
    'Message que le bot envoie avant d’attendre',
  'Variable for the answer': 'Variable pour la réponse',
  'Choices of `singleChoice` and `multipleChoice`, or an expression in `{{ }}` that returns them':
    'Choix de `singleChoice` et `multipleChoice`, ou expression entre `{{ }}` qui les renvoie',
  'Pattern of `regex`': 'Motif de `regex`',
  'Minimum: of a number, a date, the characters of a text or the number of choices':
    'Minimum : d’un nombre, d’une date, des caractères d’un texte ou du nombre de choix',
  'Maximum, as for `min`': 'Maximum, comme pour `min`',
  'Condition on the answer, which is the global `value`':
    'Condition sur la réponse, qui est la variable globale `value`',
  'If true, a model reads answers in which the rules of the kind find nothing':
    'Si activé, un modèle lit les réponses dans lesquelles les règles du type ne trouvent rien',
  'Model (`auto` by default), or several: the others are fallbacks':
    'Modèle (`auto` par défaut), ou plusieurs : les autres servent de secours',
  'Message after an unsuitable answer': 'Message après une réponse qui ne convient pas',
  'How often the bot asks again (3 by default)':
    'Combien de fois le bot redemande (3 par défaut)',
  'Words with which the user cancels': 'Mots par lesquels l’utilisateur annule',
  'Label of a button that cancels, below the choices or the question':
    'Libellé d’un bouton d’annulation, sous les choix ou la question',
  'Next node after a cancel word. Without it, the next card runs and the variable is null':
    'Étape suivante après un mot d’annulation. Sans elle, la carte suivante s’exécute et la ' +
    'variable vaut null',
  'Next node after the last retry. Without it, the next card runs and the variable is null':
    'Étape suivante après la dernière relance. Sans elle, la carte suivante s’exécute et la ' +
    'variable vaut null',
  'Seconds to wait for an answer': 'Secondes d’attente d’une réponse',
  'Next node after the timeout. Without it, the next card runs and the variable is null':
    'Étape suivante une fois le délai écoulé. Sans elle, la carte suivante s’exécute et la ' +
    'variable vaut null',
  'Text; {{ }} holds a JavaScript expression':
    'Texte ; {{ }} contient une expression JavaScript',
  Condition: 'Condition',
  'Next node when the condition holds': 'Étape suivante quand la condition est remplie',
  'Next node': 'Étape suivante',
  'Flow to call; this flow continues after it':
    'Flux à exécuter ; celui-ci continue ensuite',
  'Values for the inputs of the flow, by input':
    'Valeurs des entrées du flux, par entrée',
  'Variables for the outputs of the flow, by output':
    'Variables pour les sorties du flux, par sortie',
  'Code to run': 'Code à exécuter',
  ['Action of the bot by its name, of an integration as `integration:action`, or of an MCP ' +
    'server as `server:tool`']:
    'Action du bot par son nom, d’une intégration sous la forme `integration:action`, ou d’un ' +
    'serveur MCP sous la forme `server:tool`',
  'Input of the action': 'Entrée de l’action',
  'Variable for its output': 'Variable pour sa sortie',
  'Question; by default the preview of the event':
    'Question ; par défaut, l’aperçu de l’événement',
  "Knowledge bases; by default all of the document's":
    'Bases de connaissances ; par défaut, toutes celles du document',
  'Maximum number of passages (5 by default)':
    'Nombre maximal de passages (5 par défaut)',
  ['Minimum score of a passage (0.35 by default); a minimum score of the knowledge base ' +
    'replaces it']:
    'Score minimal d’un passage (0,35 par défaut) ; un score minimal de la base de ' +
    'connaissances le remplace',
  'Variable for the passages, which are also in `event.kb`':
    'Variable pour les passages, qui sont aussi dans `event.kb`',
  'Task for the model': 'Tâche pour le modèle',
  'Values for the model to read, by name; by default `message`, the preview of the event':
    'Valeurs à lire par le modèle, par nom ; par défaut `message`, l’aperçu de l’événement',
  'JSON Schema of the result': 'Schéma JSON du résultat',
  'Variable for the result': 'Variable pour le résultat',
  'How often the model may correct a result that does not match `output` (2 by default)':
    'Combien de fois le modèle peut corriger un résultat non conforme à `output` (2 par défaut)',
  'Next node after a failure of the model. Without it, the failure is an error of the card':
    'Étape suivante après un échec du modèle. Sans elle, l’échec est une erreur de la carte',
  'Further instructions for the model': 'Autres instructions pour le modèle',
  'Descriptions in words, each with its next node; the model chooses one':
    'Descriptions en clair, chacune avec son étape suivante ; le modèle en choisit une',
  'Next node if no description fits. Without it, the next card runs':
    'Étape suivante si aucune description ne convient. Sans elle, la carte suivante s’exécute',
  'Instructions for the text': 'Instructions pour le texte',
  'Variable for the text. Without it, the bot sends the text':
    'Variable pour le texte. Sans elle, le bot envoie le texte',
  "Knowledge bases to search; by default all of the document's":
    'Bases de connaissances où chercher ; par défaut, toutes celles du document',
  'Tags of the files to search, in place of knowledge bases; `{}` searches all files':
    'Tags des fichiers où chercher, à la place de bases de connaissances ; `{}` cherche dans ' +
    'tous les fichiers',
  'Further instructions, for example on tone':
    'Autres instructions, par exemple sur le ton',
  ['Whether the model checks its answer with a second request, and the bot leaves out ' +
    'sentences that no cited passage supports (true by default)']:
    'Si le modèle vérifie sa réponse par une seconde requête, et si le bot omet les phrases ' +
    'qu’aucun passage cité n’appuie (oui par défaut)',
  ['Heading of the sources (`Sources:` or, without a model, `Source:` by default); an empty ' +
    'text omits them']:
    'Titre des sources (par défaut `Sources:` ou, sans modèle, `Source:`) ; un texte vide les ' +
    'omet',
  'Text above buttons for equally likely answers, without a model':
    'Texte au-dessus des boutons pour des réponses aussi probables les unes que les autres, ' +
    'sans modèle',
  'Message if the passages do not contain the answer':
    'Message si les passages ne contiennent pas la réponse',
  'Next node if the passages do not contain the answer. Without it, the next card runs':
    'Étape suivante si les passages ne contiennent pas la réponse. Sans elle, la carte ' +
    'suivante s’exécute',
  'Variable for `{ answer, citations }`, or null if unknown. Without it, the bot sends a message':
    'Variable pour `{ answer, citations }`, ou null si la réponse est inconnue. Sans elle, le ' +
    'bot envoie un message',
  'Name of the table': 'Nom de la table',
  Operation: 'Opération',
  'Id of the row': 'Identifiant de la ligne',
  'Row, in the format of the Tables API': 'Ligne, au format de l’API Tables',
  'Rows, in the format of the Tables API': 'Lignes, au format de l’API Tables',
  'Filter, in the format of the Tables API': 'Filtre, au format de l’API Tables',
  ['With `find`: texts by column that users typed. Rows fit in any capitals, codes without ' +
    'separators (`#A-1001` is `a1001`), and phone numbers in national and international form']:
    'Avec `find` : textes saisis par des utilisateurs, par colonne. Les lignes correspondent ' +
    'sans tenir compte des majuscules, les codes sans séparateurs (`#A-1001` vaut `a1001`) et ' +
    'les numéros de téléphone sous forme nationale et internationale',
  'Words to search for': 'Mots à rechercher',
  'Column to sort by': 'Colonne de tri',
  'Sort direction': 'Sens du tri',
  'Maximum number of rows': 'Nombre maximal de lignes',
  'Column by which `upsert` finds rows':
    'Colonne par laquelle `upsert` trouve les lignes',
  Variable: 'Variable',
  Value: 'Valeur',
  'Object to tag; `message` is the message that the bot answers':
    'Ce qui reçoit le tag ; `message` est le message auquel le bot répond',
  Tags: 'Tags',
  'Level (info by default)': 'Niveau (info par défaut)',
  'Text of the log line': 'Texte de la ligne du journal',
  'Name of the event': 'Nom de l’événement',
  'Condition on the event': 'Condition sur l’événement',
  "Variable for the event's payload": 'Variable pour le contenu de l’événement',
  'Seconds to wait': 'Secondes d’attente',
  'Message that the bot sends before': 'Message que le bot envoie avant',
  'Why the bot cannot answer': 'Pourquoi le bot ne peut pas répondre',
  'Information for the person': 'Informations pour la personne',
  'Messages and events of the conversation that the bot receives meanwhile (`nothing` by default)':
    'Messages et événements de la conversation que le bot reçoit pendant ce temps (`nothing` ' +
    'par défaut)',
  'Variable for the payload of `handoff_closed`, when the card continues':
    'Variable pour le contenu de `handoff_closed`, quand la carte continue',
  'Seconds without an event after which this conversation ends; 0 disables the timeout':
    'Secondes sans événement après lesquelles cette conversation se termine ; 0 désactive ce ' +
    'délai',
  'Flow to start': 'Flux à démarrer',
  'Node to start at; by default the node of type `trigger`, otherwise the first node of the flow':
    'Étape de départ ; par défaut, l’étape de type `trigger`, sinon la première étape du flux',
  'Event of the bot, or of an integration as `integration:event`':
    'Événement du bot, ou d’une intégration sous la forme `integration:event`',
  'Cron expression of five fields, in UTC': 'Expression cron à cinq champs, en UTC',
  'Payload of the event': 'Contenu de l’événement',
  'When it runs; see Hooks': 'Quand il s’exécute ; voir « Hooks » dans la documentation',
  'Name in traces and issues': 'Nom dans les traces et les incidents',
  ['If true, an error of the hook ends the turn. Otherwise the error becomes an issue and ' +
    'the turn continues']:
    'Si activé, une erreur du hook met fin au tour. Sinon, l’erreur devient un incident et le ' +
    'tour continue',
  ['Seconds without an event after which a conversation ends (1,800 by default); 0 disables ' +
    'the timeout']:
    'Secondes sans événement après lesquelles une conversation se termine (1 800 par défaut) ; ' +
    '0 désactive ce délai',
  'How often one turn may enter the same node (25 by default)':
    'Combien de fois un tour peut entrer dans la même étape (25 par défaut)',
  'Maximum duration of one run of code in milliseconds (10,000 by default)':
    'Durée maximale d’une exécution de code, en millisecondes (10 000 par défaut)',
  'Maximum duration of one call of a model in milliseconds (45,000 by default)':
    'Durée maximale d’un appel de modèle, en millisecondes (45 000 par défaut)',
  'Shows that the bot writes while a turn takes longer than half a second (off by default)':
    'Indique que le bot écrit quand un tour dure plus d’une demi-seconde (désactivé par défaut)',
  'Defaults of all captures': 'Valeurs par défaut de toutes les questions',
  'IANA time zone of dates (UTC by default)':
    'Fuseau horaire IANA des dates (UTC par défaut)',
  ['BCP 47 tag of the language and region in which users write numbers, dates and phone ' +
    'numbers, such as `de-CH`. By default the variable `user.locale`']:
    'Code BCP 47 de la langue et de la région dans lesquelles les utilisateurs écrivent les ' +
    'nombres, les dates et les numéros de téléphone, comme `de-CH`. Par défaut, la variable ' +
    '`user.locale`',
  'Type of the node': 'Type de l’étape',
  'Description for readers of the document': 'Description pour les lecteurs du document',
  'Next node after the last card. Without it, the flow ends':
    'Étape suivante après la dernière carte. Sans elle, le flux se termine',
  'Position on the page Flows of the dashboard; the bot does not use it':
    'Position sur la page « Flux » du tableau de bord ; le bot ne l’utilise pas',
  'Next node after an exit without `to`. Without it, the flow ends':
    'Étape suivante après une sortie sans `to`. Sans elle, le flux se termine',
  'Task, rules and style of the agent': 'Tâche, règles et style de l’agent',
  'Randomness of the replies': 'Part de hasard dans les réponses',
  'Tools that the model may call': 'Outils que le modèle peut appeler',
  'Variables of the model': 'Variables du modèle',
  'Exits by name': 'Sorties, par nom',
  'Limits of the work on one message of the user':
    'Limites du travail sur un message de l’utilisateur',
  ['Next node after a limit or a failure of the model; `turn.error.reason` is the reason. ' +
    'Without it, this is an error of the node']:
    'Étape suivante si une limite est atteinte ou si le modèle échoue ; `turn.error.reason` en ' +
    'est la raison. Sans elle, c’est une erreur de l’étape',
  'When and how the model should call the tool':
    'Quand et comment le modèle doit appeler l’outil',
  'Name of the tool; by default the name of the action, with `_` for `:`':
    'Nom de l’outil ; par défaut, le nom de l’action, avec `_` à la place de `:`',
  'Action of the bot with code, by its name, or of an integration as `integration:action`':
    'Action du bot avec du code, par son nom, ou d’une intégration sous la forme ' +
    '`integration:action`',
  ["JSON Schema of the input, for an action of an integration; the bot's own actions " +
    'declare it, and tools of MCP servers have one']:
    'Schéma JSON de l’entrée, pour une action d’une intégration ; les actions du bot la ' +
    'déclarent elles-mêmes, et les outils de serveurs MCP en ont un',
  ["If true, an interrupted call of the bot's own action runs again. Otherwise the model " +
    'learns that the result is unknown']:
    'Si activé, un appel interrompu d’une action du bot s’exécute de nouveau. Sinon, le modèle ' +
    'apprend que le résultat est inconnu',
  'Name of the tool; by default the name of the flow':
    'Nom de l’outil ; par défaut, le nom du flux',
  'Flow to run. Its inputs are the input of the tool, its outputs the result; it may ask the user':
    'Flux à exécuter. Ses entrées sont l’entrée de l’outil, ses sorties le résultat ; il peut ' +
    'interroger l’utilisateur',
  'Name of the tool; by default `search_knowledge`':
    'Nom de l’outil ; par défaut `search_knowledge`',
  ['Operations that the model may use (`find` and `get` by default). Each is one tool, such ' +
    'as `find_OrdersTable`']:
    'Opérations que le modèle peut utiliser (`find` et `get` par défaut). Chacune est un ' +
    'outil, comme `find_OrdersTable`',
  'Variables whose values the model sees': 'Variables dont le modèle voit les valeurs',
  'Variables that the model also may set, with the tool `set_variables`':
    'Variables que le modèle peut aussi définir, avec l’outil `set_variables`',
  'When the model should take this exit, by calling the tool `exit_` and its name':
    'Quand le modèle doit prendre cette sortie, en appelant l’outil `exit_` suivi de son nom',
  ['Condition. With `description`, the model can take the exit only while it holds; ' +
    '`outputs` has the given values. Without, the engine takes the exit as soon as it holds']:
    'Condition. Avec `description`, le modèle ne peut prendre la sortie que si elle est ' +
    'remplie ; `outputs` contient les valeurs données. Sans, le bot prend la sortie dès ' +
    'qu’elle est remplie',
  'Values that the model must give, by name. Requires `description`':
    'Valeurs que le modèle doit donner, par nom. Nécessite `description`',
  "Next node; by default the node's `next`":
    'Étape suivante ; par défaut, `next` de l’étape',
  'Type of its value': 'Type de sa valeur',
  'Meaning, for the model': 'Signification, pour le modèle',
  'Variable for the value': 'Variable pour la valeur',
  'Calls of the model (10 by default)': 'Appels du modèle (10 par défaut)',
  'Tokens of all calls, input and output': 'Tokens de tous les appels, entrée et sortie',
  'Cost of all calls in US dollars': 'Coût de tous les appels, en dollars américains',
  'Time of all calls and tools (45 by default). Tools are not interrupted':
    'Temps de tous les appels et outils (45 par défaut). Les outils ne sont pas interrompus',
  'Offers the flow as a tool of the MCP server of the bot':
    'Propose le flux comme outil du serveur MCP du bot',
  'Variables while the flow runs, as `workflow.name`':
    'Variables pendant l’exécution du flux, sous la forme `workflow.name`',
  'Values from the calling flow, as `workflow.name`':
    'Valeurs venant du flux appelant, sous la forme `workflow.name`',
  'Values for the calling flow, as `workflow.name`':
    'Valeurs pour le flux appelant, sous la forme `workflow.name`',
  'Type of its values': 'Type de ses valeurs',
  'Value before the first write': 'Valeur avant la première écriture',
}
