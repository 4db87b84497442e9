/** What the extension MCP Apps takes for a card, and the address of ours. */
export const cardType = 'text/html;profile=mcp-app'
export const cardUri = 'ui://callgate/waiting'

/** Of the definition of a tool: its results are shown with the card. */
export const withCard = { ui: { resourceUri: cardUri } } as const
