/** The media type of a card in MCP Apps, and our card's URI. */
export const cardType = 'text/html;profile=mcp-app'
export const cardUri = 'ui://callgate/waiting'

/** In a tool's definition: its results are shown with the card. */
export const withCard = { ui: { resourceUri: cardUri } } as const
