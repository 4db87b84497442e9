/** `AGENTS.md` of a connector's folder: the coding agent's tasks, and the user's decisions. */
export const agentsFile = (slug: string): string => `# The connector of ${slug}

This folder is a connector for Callgate: it says how calls of agents become requests of one web app, and what its answers mean. A person has the
account; you write the code. Callgate's own folder has the references: \`docs/connectors.md\` (what a connector can say), \`docs/kit.md\` (every word
of \`@callgate/kit\`), \`docs/connect-a-real-app.md\` (a whole one, step by step).

Commands run in Callgate's folder, with \`npm start\` running there. \`<here>\` is the path of this folder. The same verbs are MCP tools:
\`npm run -s callgate -- connector mcp\` is the command of that server.

| in this order                                                | what it is for                                                                      | who                                  |
| ------------------------------------------------------------ | ----------------------------------------------------------------------------------- | ------------------------------------ |
| fill in \`index.ts\`                                           | each \`''\` and \`undecided('…')\` is a question                                        | you; ask the person what you cannot see |
| \`npm install && npx tsc\`, here                               | it compiles                                                                         | you                                  |
| \`npm run -s callgate -- connector dev <here>\`                | brings it to the gateway as files are saved; leave it running                       | you; the person agrees to its hosts  |
| \`npm run -s callgate -- connector record <here> <endpoint>\`  | prints an address: the thing is done once in the live browser, and again with other values | **the person**                       |
| \`npm run -s callgate -- connector suggest <here> <endpoint>\` | writes the endpoint, recordings, and \`DECIDE.md\`                                    | you                                  |
| go through \`DECIDE.md\`                                       | what cannot be seen from outside                                                    | **the person** decides, you write it |
| \`npm run -s callgate -- connector try <here> <endpoint> '<json>' --keep <kind>\` | one real call: each rule, and what it found; keeps a recording     | you; **the person** approves writes  |
| \`npm run -s callgate -- connector test <here>\`               | offline: every recording, and each thing that is read taken away                    | you                                  |
| \`npm run -s callgate -- connector test <here> --live --reads\` | every read against the app as it is today                                          | you                                  |
| \`npm run -s callgate -- connector scale <here>\`              | bronze, silver or gold, and what is missing                                         | you                                  |

Who is signed in (\`who\` in \`index.ts\`) is found on a page that only somebody who is signed in sees. Ask the person for the piece of markup with
their name or picture on it (right-click, Inspect, Copy element), and for the address of that page. Take an id that never changes.

Only the person

- signs in, records, approves, and connects an account;
- says whether something only reads (\`access: 'read'\`), and whether nobody but the account itself is reached (\`confirm: false\`);
- says what is so where you would guess. Ask; \`undecided('…')\` stands there until then.

Never

- ask for a password, a code or a cookie, type one, or put one into a file; a secret in a recording is \`SECRET.name\`;
- approve a call, or open its confirm page;
- make a page that has changed look like an empty list: \`all(…, { emptyWhen })\`, not \`any\`;
- believe a redirect that the app makes whether it did it or not: \`ledTo\` with what only success has;
- change a recording by hand so that a test passes: make it again with \`try --keep\`.
`
