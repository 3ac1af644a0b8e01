// Performs ten operations with a client in Go that a generator wrote. Prints the text that it read.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"openapi"
)

func check(response *http.Response, err error) {
	if err != nil {
		panic(fmt.Sprint(response, err))
	}
}

func expect(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func main() {
	bot, conversation := os.Getenv("BOT"), os.Getenv("CONVERSATION")
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("URL")}}
	client := openapi.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("TOKEN"))

	conversations, response, err := client.ConversationsApi.ListConversations(ctx).XBotId(bot).Execute()
	check(response, err)
	expect(len(conversations.Conversations) > 0, "no conversations")
	one, response, err := client.ConversationsApi.GetConversation(ctx, conversation).XBotId(bot).Execute()
	check(response, err)
	expect(one.Conversation.Id == conversation, "another conversation")
	participants, response, err := client.ParticipantsApi.ListParticipants(ctx, conversation).XBotId(bot).Execute()
	check(response, err)
	expect(len(participants.Participants) > 0, "no participants")

	payload := map[string]interface{}{"text": "Hello from Go"}
	body := openapi.NewCreateMessageBody(conversation, bot, "text", payload, map[string]string{})
	created, response, err := client.MessagesApi.CreateMessage(ctx).XBotId(bot).CreateMessageBody(*body).Execute()
	check(response, err)
	id := created.Message.Id
	message, response, err := client.MessagesApi.GetMessage(ctx, id).XBotId(bot).Execute()
	check(response, err)
	messages, response, err := client.MessagesApi.ListMessages(ctx).XBotId(bot).ConversationId(conversation).Execute()
	check(response, err)
	expect(messages.Messages[0].Id == id, "another message is the newest")

	happened := openapi.NewCreateEventBody("greeted", map[string]interface{}{"n": 1})
	happened.SetConversationId(conversation)
	stored, response, err := client.EventsApi.CreateEvent(ctx).XBotId(bot).CreateEventBody(*happened).Execute()
	check(response, err)
	event, response, err := client.EventsApi.GetEvent(ctx, stored.Event.Id).XBotId(bot).Execute()
	check(response, err)
	expect(event.Event.Payload["n"] == 1.0, "another payload")
	events, response, err := client.EventsApi.ListEvents(ctx).XBotId(bot).ConversationId(conversation).Execute()
	check(response, err)
	expect(len(events.Events) > 0, "no events")

	_, response, err = client.MessagesApi.DeleteMessage(ctx, id).XBotId(bot).Execute()
	check(response, err)
	_, response, err = client.MessagesApi.GetMessage(ctx, id).XBotId(bot).Execute()
	expect(err != nil && response.StatusCode == 404, "the message was not deleted")
	fmt.Println(message.Message.Payload["text"])
}
