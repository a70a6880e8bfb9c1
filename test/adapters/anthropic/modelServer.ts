import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { sse, type Wire } from './wire.js';

/** One request as the server sees it: what is written to it, and when the client has gone. */
export interface Exchange {
  send(...events: readonly Wire[]): void;
  end(): void;
  /** Settles when the connection is closed; true if that was before the response had ended. */
  readonly left: Promise<boolean>;
}

/** A server on loopback that speaks the Messages API's events, and an official client for it. */
export class ModelServer {
  readonly #server: Server;
  readonly #exchanges: Exchange[] = [];
  #arrived: () => void = () => undefined;
  readonly client: Anthropic;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => {
      request.resume();
      this.#exchanges.push(exchange(response));
      this.#arrived();
    });
    const { port } = server.address() as AddressInfo;
    this.client = new Anthropic({ apiKey: 'none', baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
  }

  static async start(): Promise<ModelServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ModelServer(server);
  }

  /** The next request, once it has arrived. */
  async request(): Promise<Exchange> {
    while (this.#exchanges.length === 0) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return this.#exchanges.shift()!;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const exchange = (response: ServerResponse): Exchange => {
  const left = once(response, 'close').then(() => !response.writableFinished);
  return {
    send: (...events) => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(events));
    },
    end: () => void response.end(),
    left,
  };
};

export const request = {
  model: 'model-a',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};
