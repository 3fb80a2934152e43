import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

const CONNECTIONS = 64;
const CONNECTION_MS = 3000;

/** At most so many connections to a bucket at a time; a request waits for as long as all are at work. */
export function bucketAgents(): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const sockets = { keepAlive: true, maxSockets: CONNECTIONS };
  return {
    httpAgent: connectingWithin(CONNECTION_MS, new HttpAgent(sockets)),
    httpsAgent: connectingWithin(CONNECTION_MS, new HttpsAgent(sockets)),
  };
}

/**
 * An agent whose connections are given up where they are not made in time. The limit of the SDK would count from the
 * request on, and so end what only waits for a free connection.
 */
export function connectingWithin<A extends HttpAgent>(milliseconds: number, agent: A): A {
  const connect: HttpAgent['createConnection'] = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    const late = () => {
      const message = `no connection within ${milliseconds} ms`;
      socket?.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
    };
    const timer = setTimeout(late, milliseconds);
    for (const event of ['connect', 'close']) socket?.once(event, () => clearTimeout(timer));
    return socket;
  };
  return agent;
}
