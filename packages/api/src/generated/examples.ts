/** Recorded from a sandbox by `npm run gen`. Do not edit. contract: 43d47b41374cf0c9
 */
import type { RecordedCalls } from '../openapi/examples.ts'

/** What was sent and received in one call of each operation. */
export const recordedCalls: RecordedCalls = {
  "list_limits": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "limit",
          "name": "workspaces",
          "unit": "count",
          "value": 50,
          "used": 3,
          "scope": "account",
          "source": "trust_level"
        },
        {
          "object": "limit",
          "name": "users",
          "unit": "count",
          "value": 200,
          "used": 2,
          "scope": "account",
          "source": "trust_level"
        }
      ],
      "has_more": false
    }
  },
  "get_limit": {
    "params": {
      "name": "instances"
    },
    "response": {
      "object": "limit",
      "name": "instances",
      "unit": "count",
      "value": 1000,
      "used": 12,
      "scope": "account",
      "source": "trust_level"
    }
  },
  "create_workspace": {
    "body": {
      "name": "inference"
    },
    "response": {
      "object": "workspace",
      "id": "wksp_PR7vrzPPUJUo7DQNi8X-9",
      "resource_path": "svc:workspace:acme:inference",
      "name": "inference",
      "created_at": 1795424400
    }
  },
  "list_workspaces": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "workspace",
          "id": "wksp_PR7vrzPPUJUo7DQNi8X-9",
          "resource_path": "svc:workspace:acme:inference",
          "name": "inference",
          "created_at": 1795424400
        },
        {
          "object": "workspace",
          "id": "wksp_du77_ruMkJWPtEdyVUQwT",
          "resource_path": "svc:workspace:acme:staging",
          "name": "staging",
          "created_at": 1795420800
        }
      ],
      "has_more": true,
      "cursor": "wkspc_cwmma0CnU1v2XKRE9Ac5GzxL"
    }
  },
  "get_workspace": {
    "params": {
      "id": "svc:workspace:acme:inference"
    },
    "response": {
      "object": "workspace",
      "id": "wksp_PR7vrzPPUJUo7DQNi8X-9",
      "resource_path": "svc:workspace:acme:inference",
      "name": "inference",
      "created_at": 1795424400
    }
  },
  "update_workspace": {
    "params": {
      "id": "svc:workspace:acme:inference"
    },
    "body": {
      "name": "serving"
    },
    "response": {
      "object": "workspace",
      "id": "wksp_PR7vrzPPUJUo7DQNi8X-9",
      "resource_path": "svc:workspace:acme:serving",
      "name": "serving",
      "created_at": 1795424400
    }
  },
  "delete_workspace": {
    "params": {
      "id": "svc:workspace:acme:serving"
    }
  },
  "create_user": {
    "body": {
      "email": "grace@acme.example",
      "name": "grace",
      "first_name": "Grace",
      "last_name": "Hopper"
    },
    "response": {
      "object": "user",
      "id": "usr_ldNiNLHUjiPUK66yW1LQ-",
      "resource_path": "svc:user:acme:grace",
      "name": "grace",
      "email": "grace@acme.example",
      "first_name": "Grace",
      "last_name": "Hopper",
      "created_at": 1795424400
    }
  },
  "list_users": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "user",
          "id": "usr_ldNiNLHUjiPUK66yW1LQ-",
          "resource_path": "svc:user:acme:grace",
          "name": "grace",
          "email": "grace@acme.example",
          "first_name": "Grace",
          "last_name": "Hopper",
          "created_at": 1795424400
        },
        {
          "object": "user",
          "id": "usr_Aj4h2a_Qv0GL_tQe75CFR",
          "resource_path": "svc:user:acme:ben",
          "name": "ben",
          "email": "ben@acme.example",
          "first_name": null,
          "last_name": null,
          "created_at": 1795420800
        }
      ],
      "has_more": true,
      "cursor": "usrc_jCRfU2vqYs7XtY57DUDUwXNq"
    }
  },
  "get_user": {
    "params": {
      "id": "usr_3Mj474TRmxv1kbJpSBP--"
    },
    "response": {
      "object": "user",
      "id": "usr_3Mj474TRmxv1kbJpSBP--",
      "resource_path": "svc:user:acme:ada",
      "name": "ada",
      "email": "ada@acme.example",
      "first_name": "Ada",
      "last_name": "Adams",
      "created_at": 1795420800
    }
  },
  "update_user": {
    "params": {
      "id": "svc:user:acme:grace"
    },
    "body": {
      "last_name": "Murray"
    },
    "response": {
      "object": "user",
      "id": "usr_ldNiNLHUjiPUK66yW1LQ-",
      "resource_path": "svc:user:acme:grace",
      "name": "grace",
      "email": "grace@acme.example",
      "first_name": "Grace",
      "last_name": "Murray",
      "created_at": 1795424400
    }
  },
  "create_user_sign_in_link": {
    "params": {
      "id": "svc:user:acme:grace"
    },
    "response": {
      "object": "sign_in_link",
      "url": "https://bourse.example/sign-in/uDFTpma50PJfxSJ1NJzxp4.signature",
      "expires_at": 1795425300
    }
  },
  "list_user_passkeys": {
    "params": {
      "id": "usr_3Mj474TRmxv1kbJpSBP--"
    },
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "list_user_identities": {
    "params": {
      "id": "usr_3Mj474TRmxv1kbJpSBP--"
    },
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "create_ssh_key": {
    "body": {
      "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@laptop"
    },
    "response": {
      "object": "ssh_key",
      "id": "sshk_TpCjvwJ0NBIzkRKiqGJ4K",
      "name": "ada@laptop",
      "owner": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "key_type": "ssh-ed25519",
      "bits": 256,
      "fingerprint": "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
      "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
      "created_at": 1795424400
    }
  },
  "list_ssh_keys": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "ssh_key",
          "id": "sshk_TpCjvwJ0NBIzkRKiqGJ4K",
          "name": "ada@laptop",
          "owner": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          },
          "key_type": "ssh-ed25519",
          "bits": 256,
          "fingerprint": "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
          "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
          "created_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "sshkc_q0uYYe-U5ajkhKvPvaXq5Kn0"
    }
  },
  "get_ssh_key": {
    "params": {
      "id": "sshk_TpCjvwJ0NBIzkRKiqGJ4K"
    },
    "response": {
      "object": "ssh_key",
      "id": "sshk_TpCjvwJ0NBIzkRKiqGJ4K",
      "name": "ada@laptop",
      "owner": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "key_type": "ssh-ed25519",
      "bits": 256,
      "fingerprint": "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
      "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
      "created_at": 1795424400
    }
  },
  "delete_ssh_key": {
    "params": {
      "id": "sshk_TpCjvwJ0NBIzkRKiqGJ4K"
    },
    "response": {
      "object": "deleted_ssh_key",
      "id": "sshk_TpCjvwJ0NBIzkRKiqGJ4K",
      "fingerprint": "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU",
      "instances": []
    }
  },
  "end_user_sessions": {
    "params": {
      "id": "svc:user:acme:grace"
    }
  },
  "delete_user": {
    "params": {
      "id": "svc:user:acme:grace"
    },
    "response": {
      "object": "deleted_user",
      "id": "usr_ldNiNLHUjiPUK66yW1LQ-",
      "instances": []
    }
  },
  "create_role": {
    "body": {
      "name": "runner",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "instance": [
                "*"
              ],
              "image": [
                "read",
                "list"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      }
    },
    "response": {
      "object": "role",
      "id": "role_DSdMa-VEYZh24k89llLMC",
      "resource_path": "svc:role:acme:runner",
      "name": "runner",
      "role_type": "custom",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "image": [
                "read",
                "list"
              ],
              "instance": [
                "*"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      },
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "list_roles": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "role",
          "id": "role_admin",
          "resource_path": "svc:role:acme:admin",
          "name": "admin",
          "role_type": "built_in",
          "policy": {
            "api_version": "roles/v1",
            "description": "Everything.",
            "rules": [
              {
                "effect": "allow",
                "actions": {
                  "*": [
                    "*"
                  ]
                }
              }
            ]
          },
          "created_at": 1791968400,
          "updated_at": 1791968400
        },
        {
          "object": "role",
          "id": "role_operator",
          "resource_path": "svc:role:acme:operator",
          "name": "operator",
          "role_type": "built_in",
          "policy": {
            "api_version": "roles/v1",
            "description": "Runs instances, images and networks.",
            "rules": [
              {
                "effect": "allow",
                "actions": {
                  "workspace": [
                    "read",
                    "list"
                  ],
                  "image": [
                    "*"
                  ],
                  "instance_template": [
                    "*"
                  ],
                  "instance": [
                    "*"
                  ],
                  "secret": [
                    "*"
                  ],
                  "pool": [
                    "read",
                    "list"
                  ],
                  "pool_transfer": [
                    "read",
                    "list"
                  ],
                  "order": [
                    "read",
                    "list"
                  ],
                  "procurement": [
                    "read",
                    "list"
                  ],
                  "deployment": [
                    "*"
                  ],
                  "firewall": [
                    "*"
                  ],
                  "subnet": [
                    "*"
                  ],
                  "infiniband_partition": [
                    "*"
                  ],
                  "event": [
                    "list"
                  ],
                  "webhook": [
                    "read",
                    "list"
                  ],
                  "host": [
                    "*"
                  ]
                }
              }
            ]
          },
          "created_at": 1791968400,
          "updated_at": 1791968400
        }
      ],
      "has_more": true,
      "cursor": "rolec_JVKM5bmY92t3eB6KI0q_TDUF"
    }
  },
  "get_role": {
    "params": {
      "id": "svc:role:acme:runner"
    },
    "response": {
      "object": "role",
      "id": "role_DSdMa-VEYZh24k89llLMC",
      "resource_path": "svc:role:acme:runner",
      "name": "runner",
      "role_type": "custom",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "image": [
                "read",
                "list"
              ],
              "instance": [
                "*"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      },
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "update_role": {
    "params": {
      "id": "svc:role:acme:runner"
    },
    "body": {
      "name": "launcher"
    },
    "response": {
      "object": "role",
      "id": "role_DSdMa-VEYZh24k89llLMC",
      "resource_path": "svc:role:acme:launcher",
      "name": "launcher",
      "role_type": "custom",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "image": [
                "read",
                "list"
              ],
              "instance": [
                "*"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      },
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "create_grant": {
    "body": {
      "principal_type": "user",
      "principal_id": "usr_Aj4h2a_Qv0GL_tQe75CFR",
      "role": "role_DSdMa-VEYZh24k89llLMC",
      "workspace": "svc:workspace:acme:default"
    },
    "response": {
      "object": "grant",
      "id": "grnt_LFf8vIt6YzjsPo1BX7MmQ",
      "principal_type": "user",
      "principal_id": "usr_Aj4h2a_Qv0GL_tQe75CFR",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "role": {
        "object": "role",
        "id": "role_DSdMa-VEYZh24k89llLMC",
        "name": "launcher"
      },
      "provider": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      }
    }
  },
  "list_grants": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "grant",
          "id": "grnt_LFf8vIt6YzjsPo1BX7MmQ",
          "principal_type": "user",
          "principal_id": "usr_Aj4h2a_Qv0GL_tQe75CFR",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "role": {
            "object": "role",
            "id": "role_DSdMa-VEYZh24k89llLMC",
            "name": "launcher"
          },
          "provider": null,
          "created_at": 1795424400,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          }
        },
        {
          "object": "grant",
          "id": "grnt_HMXTP2SO9j83S9A_tQTWN",
          "principal_type": "token",
          "principal_id": "tokn_fREp7w_m02HLaLTU0gQKs",
          "workspace": {
            "object": "workspace",
            "id": "wksp_YuQ0ogA91TgWw2QHZW8oP",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "role": {
            "object": "role",
            "id": "role_viewer",
            "name": "viewer"
          },
          "provider": null,
          "created_at": 1795420800,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          }
        }
      ],
      "has_more": true,
      "cursor": "grntc_XF8PLx9tGtODPJytvPZc3LKG"
    }
  },
  "get_grant": {
    "params": {
      "id": "grnt_LFf8vIt6YzjsPo1BX7MmQ"
    },
    "response": {
      "object": "grant",
      "id": "grnt_LFf8vIt6YzjsPo1BX7MmQ",
      "principal_type": "user",
      "principal_id": "usr_Aj4h2a_Qv0GL_tQe75CFR",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "role": {
        "object": "role",
        "id": "role_DSdMa-VEYZh24k89llLMC",
        "name": "launcher"
      },
      "provider": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      }
    }
  },
  "delete_grant": {
    "params": {
      "id": "grnt_LFf8vIt6YzjsPo1BX7MmQ"
    }
  },
  "delete_role": {
    "params": {
      "id": "svc:role:acme:launcher"
    }
  },
  "check_permissions": {
    "body": {
      "actions": [
        "instance:create",
        "order:create"
      ],
      "workspace": "svc:workspace:acme:research"
    },
    "response": {
      "object": "permission_check",
      "allowed": true
    }
  },
  "list_names": {
    "query": {
      "ids": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "name",
          "id": "sku__-sUVUX3Yw-WuExZbtH4m",
          "type": "sku",
          "name": "h100-west"
        }
      ],
      "has_more": false
    }
  },
  "create_token": {
    "body": {
      "name": "nightly-jobs",
      "roles": [
        "role_operator"
      ],
      "expires_at": 1803200400
    },
    "response": {
      "object": "token",
      "id": "tokn_OGK5DsJlqD5B_zQ1G4dlX",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "nightly-jobs",
      "kind": "service",
      "user": null,
      "device": null,
      "address": null,
      "suffix": "cwPy4M",
      "allowed_cidrs": null,
      "resources": null,
      "expires_at": 1803200400,
      "last_used_at": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "token": "eyJhbGciOiJFZERTQSJ9.q_9qPj6Asx6OvMPvIsZ6ccUX.signature"
    }
  },
  "start_device_login": {
    "body": {
      "client_name": "The command line on laptop-7"
    },
    "response": {
      "device_code": "3Sy_1BpG6Xj1pC5RrVK9bqa9tG6dqF0gl-L1AFlsiBQ",
      "user_code": "DXLR-MNSG",
      "verification_uri": "https://bourse.example/device",
      "verification_uri_complete": "https://bourse.example/device?user_code=DXLR-MNSG",
      "expires_in": 600,
      "interval": 1
    }
  },
  "list_tokens": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "token",
          "id": "tokn_OGK5DsJlqD5B_zQ1G4dlX",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "nightly-jobs",
          "kind": "service",
          "user": null,
          "device": null,
          "address": null,
          "suffix": "cwPy4M",
          "allowed_cidrs": null,
          "resources": null,
          "expires_at": 1803200400,
          "last_used_at": null,
          "created_at": 1795424400,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          }
        },
        {
          "object": "token",
          "id": "tokn_fREp7w_m02HLaLTU0gQKs",
          "workspace": {
            "object": "workspace",
            "id": "wksp_YuQ0ogA91TgWw2QHZW8oP",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "name": "dashboard",
          "kind": "service",
          "user": null,
          "device": null,
          "address": null,
          "suffix": "TBO4pm",
          "allowed_cidrs": null,
          "resources": null,
          "expires_at": 1803196800,
          "last_used_at": null,
          "created_at": 1795420800,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          }
        }
      ],
      "has_more": true,
      "cursor": "tokc_5f5Lqr9L20pMsrjb9f57hnPN"
    }
  },
  "get_token": {
    "params": {
      "id": "tokn_OGK5DsJlqD5B_zQ1G4dlX"
    },
    "response": {
      "object": "token",
      "id": "tokn_OGK5DsJlqD5B_zQ1G4dlX",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "nightly-jobs",
      "kind": "service",
      "user": null,
      "device": null,
      "address": null,
      "suffix": "cwPy4M",
      "allowed_cidrs": null,
      "resources": null,
      "expires_at": 1803200400,
      "last_used_at": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      }
    }
  },
  "delete_token": {
    "params": {
      "id": "tokn_OGK5DsJlqD5B_zQ1G4dlX"
    }
  },
  "list_audit_entries": {
    "query": {
      "limit": 2,
      "operation": "update_role"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "audit_entry",
          "id": "audt_xFS1l5GyynfHuk9h9CMI1",
          "occurred_at": 1795424400,
          "account": "acme",
          "actor": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          },
          "operation": "update_role",
          "targets": [
            {
              "type": "role",
              "id": "role_DSdMa-VEYZh24k89llLMC"
            }
          ],
          "outcome": "done",
          "code": null,
          "changes": [
            {
              "field": "name",
              "old_value": "\"runner\"",
              "new_value": "\"launcher\"",
              "is_secret": false
            }
          ],
          "on_behalf_of": null,
          "address": "127.0.0.1",
          "user_agent": "node",
          "request_id": "req_wmR4RWcJLuBnx63nAgwiv"
        }
      ],
      "has_more": false,
      "cursor": "audtc_xOm1fbXmkHUyLFBvSLcFk4bd"
    }
  },
  "list_events": {
    "query": {
      "limit": 2,
      "target_type": "instance"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "event",
          "id": "evt_hgy0Xan0-44ZQiH-GRQGf",
          "action": "instance.created",
          "occurred_at": 1795420920,
          "actor": {
            "type": "system"
          },
          "targets": [
            {
              "type": "instance",
              "id": "inst_iYEY4KvSF9M0SMiQI-mBc"
            }
          ],
          "cursor": "evtc_y3AQimZOKrPgWMGI0fd08OYM"
        },
        {
          "object": "event",
          "id": "evt_irGMnOZgRBWPwe_FsMWlU",
          "action": "instance.created",
          "occurred_at": 1795420920,
          "actor": {
            "type": "system"
          },
          "targets": [
            {
              "type": "instance",
              "id": "inst_KTaJlgykUREYrorO54CIw"
            }
          ],
          "cursor": "evtc_r-hgVagIm58LUiT9GMZIJVvA"
        }
      ],
      "has_more": true,
      "cursor": "evtc_r-hgVagIm58LUiT9GMZIJVvA"
    }
  },
  "list_skus": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "cursor": "skuc_yldDwvzH49QIR54VQPgjhuEr",
      "data": [
        {
          "object": "sku",
          "id": "sku__-sUVUX3Yw-WuExZbtH4m",
          "alias": "h100-west",
          "region": {
            "value": "us-west",
            "display_value": "US West"
          },
          "availability_zone": {
            "value": "us-west-1a",
            "display_value": "US West 1a"
          },
          "accelerator": {
            "value": "h100",
            "display_value": "NVIDIA H100"
          },
          "form_factor": {
            "value": "sxm",
            "display_value": "SXM"
          },
          "rdma_type": {
            "value": "infiniband",
            "display_value": "InfiniBand"
          },
          "infiniband_fabric": "west-ib",
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 16492674416640,
            "display_value": "15 TiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          }
        },
        {
          "object": "sku",
          "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
          "alias": "a100-north",
          "region": {
            "value": "eu-north",
            "display_value": "EU North"
          },
          "availability_zone": {
            "value": "eu-north-1b",
            "display_value": "EU North 1b"
          },
          "accelerator": {
            "value": "a100",
            "display_value": "NVIDIA A100"
          },
          "form_factor": {
            "value": "pcie",
            "display_value": "PCIe"
          },
          "rdma_type": {
            "value": "roce",
            "display_value": "RoCE"
          },
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 8246337208320,
            "display_value": "7680 GiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          }
        }
      ],
      "has_more": false
    }
  },
  "get_sku": {
    "params": {
      "id": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "sku",
      "id": "sku__-sUVUX3Yw-WuExZbtH4m",
      "alias": "h100-west",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "h100",
        "display_value": "NVIDIA H100"
      },
      "form_factor": {
        "value": "sxm",
        "display_value": "SXM"
      },
      "rdma_type": {
        "value": "infiniband",
        "display_value": "InfiniBand"
      },
      "infiniband_fabric": "west-ib",
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 192,
        "display_value": "192"
      },
      "memory_bytes": {
        "value": 2199023255552,
        "display_value": "2 TiB"
      },
      "local_storage_bytes": {
        "value": 16492674416640,
        "display_value": "15 TiB"
      },
      "supports_public_ipv4": {
        "value": true,
        "display_value": "Yes"
      }
    }
  },
  "list_sku_properties": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku_property",
          "name": "region",
          "display_name": "Region",
          "description": "The location of the machines.",
          "documentation_link": null,
          "deprecated_at": null,
          "deprecation_info": null,
          "type": "enumeration",
          "values": [
            {
              "object": "sku_property",
              "name": "eu-north",
              "display_name": "EU North",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            },
            {
              "object": "sku_property",
              "name": "us-west",
              "display_name": "US West",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            }
          ]
        },
        {
          "object": "sku_property",
          "name": "availability_zone",
          "display_name": "Availability zone",
          "description": "A part of a region that fails independently of the other parts.",
          "documentation_link": null,
          "deprecated_at": null,
          "deprecation_info": null,
          "type": "enumeration",
          "values": [
            {
              "object": "sku_property",
              "name": "eu-north-1b",
              "display_name": "EU North 1b",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            },
            {
              "object": "sku_property",
              "name": "us-west-1a",
              "display_name": "US West 1a",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            }
          ]
        }
      ],
      "has_more": false
    }
  },
  "create_pool": {
    "body": {
      "name": "bought",
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "pool",
      "id": "pool_atMbsgsL6gdNEaa8MCl4c",
      "resource_path": "svc:pool:acme:default:bought",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "bought",
      "kind": "market",
      "allocation_schedule": {
        "total": [],
        "by_sku": {}
      },
      "procurements": [],
      "deployments": [],
      "tags": {
        "team": "training"
      },
      "created_at": 1795424400
    }
  },
  "list_pools": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pool",
          "id": "pool_atMbsgsL6gdNEaa8MCl4c",
          "resource_path": "svc:pool:acme:default:bought",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "bought",
          "kind": "market",
          "allocation_schedule": {
            "total": [],
            "by_sku": {}
          },
          "procurements": [],
          "deployments": [],
          "tags": {
            "team": "training"
          },
          "created_at": 1795424400
        },
        {
          "object": "pool",
          "id": "pool_b8u4Q4srZb688GHWxi7CD",
          "resource_path": "svc:pool:acme:default:legacy",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "legacy",
          "kind": "read_only",
          "allocation_schedule": {
            "total": [
              {
                "start_at": 1795424400,
                "end_at": null,
                "node_count": 1
              }
            ],
            "by_sku": {
              "sku_kzo_IGNErDmOqXDkvWj3l": [
                {
                  "start_at": 1795424400,
                  "end_at": null,
                  "node_count": 1
                }
              ]
            }
          },
          "procurements": [],
          "deployments": [],
          "tags": null,
          "created_at": 1795420800
        }
      ],
      "has_more": true,
      "cursor": "poolc_kQDOmv7xHiqY_R6EfPmdeWmB"
    }
  },
  "create_order_estimate": {
    "body": {
      "side": "buy",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "start_at": 1795428000,
      "duration_seconds": 7200,
      "node_count": 2
    },
    "response": {
      "object": "order_estimate",
      "type": "quoted",
      "post_order_body": {
        "pool": null,
        "side": "buy",
        "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
        "allocation_schedule_delta": [
          {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          }
        ],
        "limit_price_dollars_per_node_hour": "14.676502",
        "allow_standing": false,
        "allow_partial": false
      },
      "node_minutes": 240,
      "traded_node_minutes": 240,
      "offers": [
        {
          "price_dollars_per_node_hour": "14.676502",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "node_minutes": 240,
          "total_dollars": "58.706008"
        }
      ],
      "offer_count": 1,
      "total_dollars": "58.706008",
      "average_price_dollars_per_node_hour": "14.676502",
      "worst_case_dollars": "58.706008",
      "fee": {
        "flat_dollars_per_node_hour": "0.000000",
        "percentage_bps": 0,
        "total_dollars": "0.000000"
      },
      "available_dollars": "10000.000000",
      "available_after_dollars": "9941.293992",
      "refusal": null,
      "notices": [],
      "as_of": 1795424400
    }
  },
  "create_order": {
    "body": {
      "pool": "svc:pool:acme:default:bought",
      "side": "buy",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "limit_price_dollars_per_node_hour": "14.676502",
      "allow_standing": false,
      "allow_partial": false
    },
    "response": {
      "object": "order",
      "id": "ordr_-4_8CP0Uax6zUqcH-bCRk",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "bought",
        "resource_path": "svc:pool:acme:default:bought"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "side": "buy",
      "state": "filled",
      "allow_standing": false,
      "allow_partial": false,
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "filled_allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "total": {
        "start_at": 1795428000,
        "end_at": 1795435200,
        "node_count": 2
      },
      "filled_before_allocation_schedule_delta": [],
      "limit_price_dollars_per_node_hour": "14.676502",
      "filled_average_price_dollars_per_node_hour": "14.676502",
      "held_dollars": "0.000000",
      "fills": [
        {
          "object": "fill",
          "id": "fill_Pm5nabIY-hYFnMKS_WbhP",
          "filled_at": 1795424400,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "price_dollars_per_node_hour": "14.676502",
          "total_dollars": "58.706008",
          "fee_dollars": "0.000000"
        }
      ],
      "amends": null,
      "amended_by": null,
      "managed_by": null,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "created_at": 1795424400,
      "filled_at": 1795424400,
      "cancelled_at": null,
      "cancel_reason": null,
      "rejected_reason": null
    }
  },
  "list_orders": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "order",
          "id": "ordr_-4_8CP0Uax6zUqcH-bCRk",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "pool": {
            "object": "pool",
            "id": "pool_atMbsgsL6gdNEaa8MCl4c",
            "name": "bought",
            "resource_path": "svc:pool:acme:default:bought"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "side": "buy",
          "state": "filled",
          "allow_standing": false,
          "allow_partial": false,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "filled_allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "total": {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          },
          "filled_before_allocation_schedule_delta": [],
          "limit_price_dollars_per_node_hour": "14.676502",
          "filled_average_price_dollars_per_node_hour": "14.676502",
          "held_dollars": "0.000000",
          "fills": [
            {
              "object": "fill",
              "id": "fill_Pm5nabIY-hYFnMKS_WbhP",
              "filled_at": 1795424400,
              "allocation_schedule_delta": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795435200,
                  "node_count": 2
                }
              ],
              "price_dollars_per_node_hour": "14.676502",
              "total_dollars": "58.706008",
              "fee_dollars": "0.000000"
            }
          ],
          "amends": null,
          "amended_by": null,
          "managed_by": null,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          },
          "created_at": 1795424400,
          "filled_at": 1795424400,
          "cancelled_at": null,
          "cancel_reason": null,
          "rejected_reason": null
        }
      ],
      "has_more": false,
      "cursor": "ordrc_bGp1M4BhNDqiBvwu_-KAU-Od"
    }
  },
  "get_order": {
    "params": {
      "id": "ordr_-4_8CP0Uax6zUqcH-bCRk"
    },
    "response": {
      "object": "order",
      "id": "ordr_-4_8CP0Uax6zUqcH-bCRk",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "bought",
        "resource_path": "svc:pool:acme:default:bought"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "side": "buy",
      "state": "filled",
      "allow_standing": false,
      "allow_partial": false,
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "filled_allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "total": {
        "start_at": 1795428000,
        "end_at": 1795435200,
        "node_count": 2
      },
      "filled_before_allocation_schedule_delta": [],
      "limit_price_dollars_per_node_hour": "14.676502",
      "filled_average_price_dollars_per_node_hour": "14.676502",
      "held_dollars": "0.000000",
      "fills": [
        {
          "object": "fill",
          "id": "fill_Pm5nabIY-hYFnMKS_WbhP",
          "filled_at": 1795424400,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "price_dollars_per_node_hour": "14.676502",
          "total_dollars": "58.706008",
          "fee_dollars": "0.000000"
        }
      ],
      "amends": null,
      "amended_by": null,
      "managed_by": null,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "created_at": 1795424400,
      "filled_at": 1795424400,
      "cancelled_at": null,
      "cancel_reason": null,
      "rejected_reason": null
    }
  },
  "list_order_fills": {
    "params": {
      "id": "ordr_-4_8CP0Uax6zUqcH-bCRk"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "fill",
          "id": "fill_Pm5nabIY-hYFnMKS_WbhP",
          "filled_at": 1795424400,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "price_dollars_per_node_hour": "14.676502",
          "total_dollars": "58.706008",
          "fee_dollars": "0.000000"
        }
      ],
      "has_more": false,
      "cursor": "fillc_hntBDneLpzupH4TwA5lSFxRF"
    }
  },
  "explain_order": {
    "params": {
      "id": "ordr_-4_8CP0Uax6zUqcH-bCRk"
    },
    "response": {
      "object": "order_explanation",
      "order": "ordr_-4_8CP0Uax6zUqcH-bCRk",
      "state": "filled",
      "as_of": 1795424400,
      "summary": "The order is completely filled.",
      "reasons": [
        {
          "code": "filled",
          "message": "The order is completely filled."
        }
      ],
      "nearest": null,
      "fillable_node_minutes": 0,
      "open_node_minutes": 0,
      "ahead": {
        "order_count": 0,
        "node_minutes": 0
      }
    }
  },
  "amend_order": {
    "params": {
      "id": "ordr_Zg-UZP6zPOoP5mK5TtsYV"
    },
    "body": {
      "node_count": 3,
      "limit_price_dollars_per_node_hour": "1.10"
    },
    "response": {
      "object": "order",
      "id": "ordr_LdY6q7URYz7wFb1xIlvec",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "bought",
        "resource_path": "svc:pool:acme:default:bought"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "side": "buy",
      "state": "standing",
      "allow_standing": true,
      "allow_partial": true,
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 3
        }
      ],
      "filled_allocation_schedule_delta": [],
      "total": {
        "start_at": 1795428000,
        "end_at": 1795435200,
        "node_count": 3
      },
      "filled_before_allocation_schedule_delta": [],
      "limit_price_dollars_per_node_hour": "1.100000",
      "filled_average_price_dollars_per_node_hour": null,
      "held_dollars": "6.600000",
      "fills": [],
      "amends": "ordr_Zg-UZP6zPOoP5mK5TtsYV",
      "amended_by": null,
      "managed_by": null,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "created_at": 1795424400,
      "filled_at": null,
      "cancelled_at": null,
      "cancel_reason": null,
      "rejected_reason": null
    }
  },
  "get_pool": {
    "params": {
      "id": "svc:pool:acme:default:bought"
    },
    "response": {
      "object": "pool",
      "id": "pool_atMbsgsL6gdNEaa8MCl4c",
      "resource_path": "svc:pool:acme:default:bought",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "bought",
      "kind": "market",
      "allocation_schedule": {
        "total": [
          {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          }
        ],
        "by_sku": {
          "sku__-sUVUX3Yw-WuExZbtH4m": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ]
        }
      },
      "procurements": [],
      "deployments": [],
      "tags": {
        "team": "training"
      },
      "created_at": 1795424400
    }
  },
  "update_pool": {
    "params": {
      "id": "svc:pool:acme:default:bought"
    },
    "body": {
      "name": "training-extra",
      "tags": {
        "team": "training",
        "stage": "test"
      }
    },
    "response": {
      "object": "pool",
      "id": "pool_atMbsgsL6gdNEaa8MCl4c",
      "resource_path": "svc:pool:acme:default:training-extra",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "training-extra",
      "kind": "market",
      "allocation_schedule": {
        "total": [
          {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          }
        ],
        "by_sku": {
          "sku__-sUVUX3Yw-WuExZbtH4m": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ]
        }
      },
      "procurements": [],
      "deployments": [],
      "tags": {
        "team": "training",
        "stage": "test"
      },
      "created_at": 1795424400
    }
  },
  "get_balance": {
    "response": {
      "object": "balance",
      "available_dollars": "9934.693992",
      "total_dollars": "9941.293992",
      "held_dollars": "6.600000",
      "credit_limit_dollars": "0.000000",
      "low_at_dollars": null,
      "is_low": false,
      "updated_at": 1795424400
    }
  },
  "put_balance_threshold": {
    "body": {
      "low_at_dollars": "50.00"
    },
    "response": {
      "object": "balance",
      "available_dollars": "9934.693992",
      "total_dollars": "9941.293992",
      "held_dollars": "6.600000",
      "credit_limit_dollars": "0.000000",
      "low_at_dollars": "50.000000",
      "is_low": false,
      "updated_at": 1795424400
    }
  },
  "list_transactions": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "transaction",
          "id": "txn_ZlhPlnvZXedThUedTF2ja",
          "type": "buy_fill",
          "amount_dollars": "-58.706008",
          "balance_after_dollars": "9941.293992",
          "fee_dollars": "0.000000",
          "order": "ordr_-4_8CP0Uax6zUqcH-bCRk",
          "fill": "fill_Pm5nabIY-hYFnMKS_WbhP",
          "workspace": "wksp_ha51Jpm6liA73tlZlMYlT",
          "description": null,
          "created_at": 1795424400
        },
        {
          "object": "transaction",
          "id": "txn_jXsllYerenytOmC2_Peh6",
          "type": "credit_grant",
          "amount_dollars": "10000.000000",
          "balance_after_dollars": "10000.000000",
          "fee_dollars": "0.000000",
          "order": null,
          "fill": null,
          "workspace": null,
          "description": "Initial funds.",
          "created_at": 1795420800
        }
      ],
      "has_more": false,
      "cursor": "txc_7XFa9qz1kC1xYjerJypwnjqR"
    }
  },
  "create_pool_transfer": {
    "body": {
      "from_pool": "svc:pool:acme:default:training-extra",
      "to_pool": "svc:pool:acme:default:spare-nodes",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 1
        }
      ]
    },
    "response": {
      "object": "pool_transfer",
      "id": "pxfr_gW47e_7bN50LGQxjTGCCF",
      "state": "executed",
      "from_pool": "pool_atMbsgsL6gdNEaa8MCl4c",
      "to_pool": "pool_FaSP7C7uMerSNG29nXEQw",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 1
        }
      ],
      "rejected_reason": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "executed_at": 1795424400
    }
  },
  "list_pool_transfers": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pool_transfer",
          "id": "pxfr_gW47e_7bN50LGQxjTGCCF",
          "state": "executed",
          "from_pool": "pool_atMbsgsL6gdNEaa8MCl4c",
          "to_pool": "pool_FaSP7C7uMerSNG29nXEQw",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 1
            }
          ],
          "rejected_reason": null,
          "created_at": 1795424400,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          },
          "executed_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "pxfrc_v7-5q8BQLouVbyAIvQaPh8fu"
    }
  },
  "get_pool_transfer": {
    "params": {
      "id": "pxfr_gW47e_7bN50LGQxjTGCCF"
    },
    "response": {
      "object": "pool_transfer",
      "id": "pxfr_gW47e_7bN50LGQxjTGCCF",
      "state": "executed",
      "from_pool": "pool_atMbsgsL6gdNEaa8MCl4c",
      "to_pool": "pool_FaSP7C7uMerSNG29nXEQw",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 1
        }
      ],
      "rejected_reason": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin"
      },
      "executed_at": 1795424400
    }
  },
  "cancel_order": {
    "params": {
      "id": "ordr__RDTs9qu6rXHtE845LAT_"
    }
  },
  "delete_pool": {
    "params": {
      "id": "svc:pool:acme:default:scratch"
    }
  },
  "list_orderbook_windows": {
    "query": {
      "range_start_at": 1795424400,
      "range_end_at": 1795446000,
      "limit": 2
    },
    "response": {
      "object": "list",
      "has_more": true,
      "cursor": "winc_BrfH7zw7CzC5nH3elYTzkO1i",
      "requirements": null,
      "range_start_at": 1795424400,
      "range_end_at": 1795446000,
      "data": [
        {
          "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
          "start_at": 1795424400,
          "end_at": 1795424460,
          "duration_minutes": 1,
          "total_bid_order_count": 3,
          "total_ask_order_count": 3,
          "best_bid": {
            "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "price_dollars_per_node_hour": "9.380884",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424400,
                "end_at": 1795424460,
                "node_count": 2
              }
            ]
          },
          "best_ask": {
            "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "price_dollars_per_node_hour": "9.494136",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424400,
                "end_at": 1795424460,
                "node_count": 2
              }
            ]
          }
        },
        {
          "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
          "start_at": 1795424400,
          "end_at": 1795438800,
          "duration_minutes": 240,
          "total_bid_order_count": 3,
          "total_ask_order_count": 4,
          "best_bid": {
            "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "price_dollars_per_node_hour": "9.380884",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424400,
                "end_at": 1795438800,
                "node_count": 2
              }
            ]
          },
          "best_ask": {
            "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "price_dollars_per_node_hour": "9.494136",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424400,
                "end_at": 1795438800,
                "node_count": 2
              }
            ]
          }
        }
      ]
    }
  },
  "get_orderbook_status": {
    "query": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "orderbook_status",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "halted": false,
      "scope": null,
      "message": null,
      "halted_at": null
    }
  },
  "get_orderbook_quote": {
    "query": {
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "orderbook_quote",
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "requested_at": 1795424400,
      "best_bid": {
        "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
        "price_dollars_per_node_hour": "14.501434",
        "allocation_schedule_delta": [
          {
            "start_at": 1795428000,
            "end_at": 1795431600,
            "node_count": 2
          }
        ]
      },
      "best_ask": {
        "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
        "price_dollars_per_node_hour": "14.807803",
        "allocation_schedule_delta": [
          {
            "start_at": 1795428000,
            "end_at": 1795431600,
            "node_count": 3
          }
        ]
      }
    }
  },
  "get_orderbook_depth": {
    "query": {
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "orderbook_depth",
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "requested_at": 1795424400,
      "bids": [
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "price_dollars_per_node_hour": "14.501434",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 2
            }
          ]
        },
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "price_dollars_per_node_hour": "14.370133",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 3
            }
          ]
        }
      ],
      "asks": [
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "price_dollars_per_node_hour": "14.807803",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 3
            }
          ]
        },
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "price_dollars_per_node_hour": "15.026638",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 4
            }
          ]
        }
      ]
    }
  },
  "list_orderbook_fills": {
    "query": {
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "limit": 2
    },
    "response": {
      "object": "list",
      "has_more": true,
      "cursor": "fillc_zEhr0kHgj67K-rX0QY6jmzb_",
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "data": [
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "price_dollars_per_node_hour": "14.676502",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "taker_side": "buy",
          "filled_at": 1795424400
        },
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "price_dollars_per_node_hour": "14.628027",
          "allocation_schedule_delta": [
            {
              "start_at": 1795423620,
              "end_at": 1795438020,
              "node_count": 1
            }
          ],
          "taker_side": "buy",
          "filled_at": 1795422660
        }
      ]
    }
  },
  "get_orderbook_curve": {
    "query": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "from": 1795428000,
      "to": 1795435200,
      "length_minutes": 120,
      "node_count": 2
    },
    "response": {
      "object": "orderbook_curve",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "from": 1795428000,
      "to": 1795435200,
      "step_minutes": 60,
      "length_minutes": 120,
      "node_count": 2,
      "requested_at": 1795424400,
      "points": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "average_price_dollars_per_node_hour": "14.807803",
          "limit_price_dollars_per_node_hour": "14.807803",
          "best_bid_dollars_per_node_hour": "14.501434",
          "best_ask_dollars_per_node_hour": "14.807803",
          "offered_node_count": 7
        },
        {
          "start_at": 1795431600,
          "end_at": 1795438800,
          "average_price_dollars_per_node_hour": "14.742153",
          "limit_price_dollars_per_node_hour": "14.807803",
          "best_bid_dollars_per_node_hour": "14.501434",
          "best_ask_dollars_per_node_hour": "14.676502",
          "offered_node_count": 7
        }
      ]
    }
  },
  "get_orderbook_board": {
    "query": {
      "sku": [
        "sku__-sUVUX3Yw-WuExZbtH4m"
      ],
      "hours": 2
    },
    "response": {
      "object": "orderbook_board",
      "from": 1795417200,
      "current_hour_at": 1795424400,
      "to": 1795431600,
      "hours": 2,
      "requested_at": 1795424400,
      "rows": [
        {
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west",
            "region": {
              "value": "us-west",
              "display_value": "US West"
            },
            "availability_zone": {
              "value": "us-west-1a",
              "display_value": "US West 1a"
            },
            "accelerator": {
              "value": "h100",
              "display_value": "NVIDIA H100"
            },
            "form_factor": {
              "value": "sxm",
              "display_value": "SXM"
            },
            "rdma_type": {
              "value": "infiniband",
              "display_value": "InfiniBand"
            },
            "infiniband_fabric": "west-ib",
            "num_accelerators": {
              "value": 8,
              "display_value": "8"
            },
            "num_vcpus": {
              "value": 192,
              "display_value": "192"
            },
            "memory_bytes": {
              "value": 2199023255552,
              "display_value": "2 TiB"
            },
            "local_storage_bytes": {
              "value": 16492674416640,
              "display_value": "15 TiB"
            },
            "supports_public_ipv4": {
              "value": true,
              "display_value": "Yes"
            }
          },
          "halted": false,
          "best_bid_dollars_per_node_hour": "14.501434",
          "best_ask_dollars_per_node_hour": "14.676502",
          "spread_dollars_per_node_hour": "0.175068",
          "last_price_dollars_per_node_hour": "14.676502",
          "change_bps": null,
          "free_node_count": 9,
          "traded_dollars_per_node_hour": [
            "14.588071",
            "14.646790"
          ],
          "asked_dollars_per_node_hour": [
            "14.676502",
            "14.807803"
          ],
          "offered_node_counts": [
            9,
            7
          ]
        }
      ],
      "has_more": false
    }
  },
  "get_orderbook_heatmap": {
    "query": {
      "sku": [
        "sku__-sUVUX3Yw-WuExZbtH4m"
      ],
      "from": 1795424400,
      "to": 1795431600
    },
    "response": {
      "object": "orderbook_heatmap",
      "from": 1795424400,
      "to": 1795431600,
      "step_minutes": 60,
      "requested_at": 1795424400,
      "rows": [
        {
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "cells": [
            {
              "start_at": 1795424400,
              "end_at": 1795428000,
              "best_ask_dollars_per_node_hour": "14.676502",
              "offered_node_count": 9,
              "last_price_dollars_per_node_hour": "14.628027"
            },
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "best_ask_dollars_per_node_hour": "14.807803",
              "offered_node_count": 7,
              "last_price_dollars_per_node_hour": "14.676502"
            }
          ]
        }
      ],
      "has_more": false
    }
  },
  "list_price_history": {
    "query": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "price_bucket",
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "start_at": 1795384800,
          "end_at": 1795388400,
          "first_price_dollars_per_node_hour": "14.946592",
          "last_price_dollars_per_node_hour": "14.988722",
          "low_price_dollars_per_node_hour": "14.946592",
          "high_price_dollars_per_node_hour": "14.988722",
          "vwap_price_dollars_per_node_hour": "14.955018",
          "node_minutes": 300,
          "total_dollars": "74.775090",
          "fill_count": 2
        },
        {
          "object": "price_bucket",
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "start_at": 1795388400,
          "end_at": 1795392000,
          "first_price_dollars_per_node_hour": "14.969454",
          "last_price_dollars_per_node_hour": "14.891446",
          "low_price_dollars_per_node_hour": "14.891446",
          "high_price_dollars_per_node_hour": "14.969454",
          "vwap_price_dollars_per_node_hour": "14.943451",
          "node_minutes": 90,
          "total_dollars": "22.415177",
          "fill_count": 2
        }
      ],
      "has_more": false,
      "cursor": "pricc_3T4cjaJ5ShLDB4Zd4u8WMIkm"
    }
  },
  "list_sku_availability": {
    "query": {
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku_availability",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "schedule": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 7
            }
          ]
        },
        {
          "object": "sku_availability",
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "schedule": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 9
            }
          ]
        }
      ],
      "has_more": false,
      "cursor": "skavc_lbmQCi7sUB1bMZaiTJe3hy6S"
    }
  },
  "get_sku_availability": {
    "params": {
      "id": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "query": {
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "sku_availability",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "schedule": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 7
        }
      ]
    }
  },
  "list_all_audit_entries": {
    "query": {
      "limit": 2,
      "operation": "create_account"
    },
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "list_revenue": {
    "query": {
      "from": "2026-11"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "revenue",
          "month": "2026-11",
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "fees_dollars": "0.000000",
          "volume_dollars": "752.058883",
          "node_minutes": 3060,
          "fill_count": 27
        },
        {
          "object": "revenue",
          "month": "2026-11",
          "sku": "sku_Gk91f6-6mh5JsU-jbV_aS",
          "fees_dollars": "0.000000",
          "volume_dollars": "401.882239",
          "node_minutes": 2880,
          "fill_count": 26
        }
      ],
      "has_more": false
    }
  },
  "list_platform_usage": {
    "query": {
      "from": 1795305600,
      "to": 1795478400,
      "account": "acme"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "platform_usage",
          "account": "acme",
          "allocated_node_minutes": 8209,
          "used_node_minutes": 586,
          "bought_dollars": "58.706008",
          "sold_dollars": "0.000000",
          "effective_cost_dollars": "58.706008",
          "skus": [
            {
              "sku": {
                "object": "sku",
                "id": "sku__-sUVUX3Yw-WuExZbtH4m",
                "alias": "h100-west"
              },
              "allocated_node_minutes": 5994,
              "used_node_minutes": 330,
              "bought_dollars": "58.706008",
              "sold_dollars": "0.000000",
              "effective_cost_dollars": "58.706008"
            },
            {
              "sku": {
                "object": "sku",
                "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
                "alias": "a100-north"
              },
              "allocated_node_minutes": 1256,
              "used_node_minutes": 207,
              "bought_dollars": "0.000000",
              "sold_dollars": "0.000000",
              "effective_cost_dollars": "0.000000"
            }
          ]
        }
      ],
      "has_more": false,
      "cursor": "usagc_krNlxmIfZZDUpeb1B7ZRN2vy"
    }
  },
  "list_platform_orders": {
    "query": {
      "account": "acme",
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "order",
          "id": "ordr__RDTs9qu6rXHtE845LAT_",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "pool": {
            "object": "pool",
            "id": "pool_atMbsgsL6gdNEaa8MCl4c",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "side": "buy",
          "state": "cancelled",
          "allow_standing": true,
          "allow_partial": false,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "filled_allocation_schedule_delta": [],
          "total": {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          },
          "filled_before_allocation_schedule_delta": [],
          "limit_price_dollars_per_node_hour": "1.500000",
          "filled_average_price_dollars_per_node_hour": null,
          "held_dollars": "0.000000",
          "fills": [],
          "amends": null,
          "amended_by": null,
          "managed_by": null,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          },
          "created_at": 1795424400,
          "filled_at": null,
          "cancelled_at": 1795424400,
          "cancel_reason": "user",
          "rejected_reason": null,
          "account": "acme"
        },
        {
          "object": "order",
          "id": "ordr_LdY6q7URYz7wFb1xIlvec",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "pool": {
            "object": "pool",
            "id": "pool_atMbsgsL6gdNEaa8MCl4c",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "side": "buy",
          "state": "standing",
          "allow_standing": true,
          "allow_partial": true,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 3
            }
          ],
          "filled_allocation_schedule_delta": [],
          "total": {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 3
          },
          "filled_before_allocation_schedule_delta": [],
          "limit_price_dollars_per_node_hour": "1.100000",
          "filled_average_price_dollars_per_node_hour": null,
          "held_dollars": "6.600000",
          "fills": [],
          "amends": "ordr_Zg-UZP6zPOoP5mK5TtsYV",
          "amended_by": null,
          "managed_by": null,
          "created_by": {
            "type": "token",
            "id": "tokn_ean9C31U_-TM6Bz51TjkO",
            "name": "admin"
          },
          "created_at": 1795424400,
          "filled_at": null,
          "cancelled_at": null,
          "cancel_reason": null,
          "rejected_reason": null,
          "account": "acme"
        }
      ],
      "has_more": true,
      "cursor": "ordrc_d9e9RIdUNbzLC-6uEpfTAMzh"
    }
  },
  "list_platform_instances": {
    "query": {
      "account": "acme",
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance",
          "id": "inst_NNVZ70iX_qxs2BARk6Ztm",
          "resource_path": "svc:instance:acme:research:lab",
          "workspace": {
            "object": "workspace",
            "id": "wksp_YuQ0ogA91TgWw2QHZW8oP",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "name": "lab",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "image": {
            "object": "image",
            "id": "image_BCDF8gb7jG1TROVjL_7Cy",
            "name": "ubuntu-24.04",
            "resource_path": "svc:image:bourse:public:ubuntu-24.04"
          },
          "pool": {
            "object": "pool",
            "id": "pool_vZ--d8IiaIs8Y-OJ1QtQc",
            "name": "lab",
            "resource_path": "svc:pool:acme:research:lab"
          },
          "created_at": 1795421760,
          "_preview_updated_at": 1795421760,
          "cloud_init_user_data_used": false,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "44e2a6792eb61c63",
            "accelerators": [
              {
                "kind": "a100",
                "pci": "0000:18:00.0"
              },
              {
                "kind": "a100",
                "pci": "0000:19:00.0"
              }
            ],
            "numa": [
              1
            ],
            "verified_at": 1795420800
          },
          "account": "acme"
        },
        {
          "object": "instance",
          "id": "inst_alg5uKIwxtpyn4Ir5RomU",
          "resource_path": "svc:instance:acme:default:queued",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "queued",
          "state": "awaiting_allocation",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "image": {
            "object": "image",
            "id": "image_FlOSp3HYmqfTSgok_jXyI",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_jrAwadEhnh9RrgelRRo0E",
            "name": "training",
            "resource_path": "svc:pool:acme:default:training"
          },
          "created_at": 1795421760,
          "_preview_updated_at": 1795421760,
          "cloud_init_user_data_used": true,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "yield",
          "account": "acme"
        }
      ],
      "has_more": true,
      "cursor": "instc_tgtPeY8jMogE1Y0-wFrEah86"
    }
  },
  "list_platform_pools": {
    "query": {
      "account": "acme",
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pool",
          "id": "pool_FaSP7C7uMerSNG29nXEQw",
          "resource_path": "svc:pool:acme:default:spare-nodes",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "spare-nodes",
          "kind": "market",
          "allocation_schedule": {
            "total": [
              {
                "start_at": 1795428000,
                "end_at": 1795431600,
                "node_count": 1
              }
            ],
            "by_sku": {
              "sku__-sUVUX3Yw-WuExZbtH4m": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795431600,
                  "node_count": 1
                }
              ]
            }
          },
          "procurements": [],
          "deployments": [],
          "tags": null,
          "created_at": 1795424400,
          "account": "acme"
        },
        {
          "object": "pool",
          "id": "pool_atMbsgsL6gdNEaa8MCl4c",
          "resource_path": "svc:pool:acme:default:training-extra",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "training-extra",
          "kind": "market",
          "allocation_schedule": {
            "total": [
              {
                "start_at": 1795428000,
                "end_at": 1795431600,
                "node_count": 1
              },
              {
                "start_at": 1795431600,
                "end_at": 1795435200,
                "node_count": 2
              }
            ],
            "by_sku": {
              "sku__-sUVUX3Yw-WuExZbtH4m": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795431600,
                  "node_count": 1
                },
                {
                  "start_at": 1795431600,
                  "end_at": 1795435200,
                  "node_count": 2
                }
              ]
            }
          },
          "procurements": [],
          "deployments": [],
          "tags": {
            "team": "training",
            "stage": "test"
          },
          "created_at": 1795424400,
          "account": "acme"
        }
      ],
      "has_more": true,
      "cursor": "poolc_QFWfgx9iZnQ1ssnYmc6ZwwPo"
    }
  },
  "list_platform_skus": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku",
          "id": "sku__-sUVUX3Yw-WuExZbtH4m",
          "alias": "h100-west",
          "region": {
            "value": "us-west",
            "display_value": "US West"
          },
          "availability_zone": {
            "value": "us-west-1a",
            "display_value": "US West 1a"
          },
          "accelerator": {
            "value": "h100",
            "display_value": "NVIDIA H100"
          },
          "form_factor": {
            "value": "sxm",
            "display_value": "SXM"
          },
          "rdma_type": {
            "value": "infiniband",
            "display_value": "InfiniBand"
          },
          "infiniband_fabric": "west-ib",
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 16492674416640,
            "display_value": "15 TiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          },
          "price_step_dollars_per_node_hour": "0.000001",
          "benchmark_figures": [],
          "listed": true,
          "flat_fee_dollars_per_node_hour": "0.000000",
          "fee_bps": 0,
          "public_prices_exclude_related": false,
          "created_at": 1795381200,
          "updated_at": 1795381200
        },
        {
          "object": "sku",
          "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
          "alias": "a100-north",
          "region": {
            "value": "eu-north",
            "display_value": "EU North"
          },
          "availability_zone": {
            "value": "eu-north-1b",
            "display_value": "EU North 1b"
          },
          "accelerator": {
            "value": "a100",
            "display_value": "NVIDIA A100"
          },
          "form_factor": {
            "value": "pcie",
            "display_value": "PCIe"
          },
          "rdma_type": {
            "value": "roce",
            "display_value": "RoCE"
          },
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 16492674416640,
            "display_value": "15 TiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          },
          "price_step_dollars_per_node_hour": "0.000001",
          "benchmark_figures": [],
          "listed": true,
          "flat_fee_dollars_per_node_hour": "0.000000",
          "fee_bps": 0,
          "public_prices_exclude_related": false,
          "created_at": 1795381200,
          "updated_at": 1795381200
        }
      ],
      "has_more": true,
      "cursor": "skuc__cIUsos5qw-zkSws5ngA2Vf5"
    }
  },
  "list_usage": {
    "query": {
      "from": 1795305600,
      "to": 1795478400
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "usage",
          "period_start": 1795392000,
          "period_end": 1795478400,
          "group": {},
          "allocated_node_minutes": 8209,
          "used_node_minutes": 586,
          "bought_dollars": "58.706008",
          "sold_dollars": "0.000000",
          "effective_cost_dollars": "58.706008"
        }
      ],
      "has_more": false,
      "cursor": "usagc_vagMD6knR2Pu4fB3r5n2me4b"
    }
  },
  "get_statement": {
    "params": {
      "month": "2026-11"
    },
    "response": {
      "object": "statement",
      "month": "2026-11",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "state": "open",
      "opening_balance_dollars": "0.000000",
      "closing_balance_dollars": "9941.293992",
      "purchases_dollars": "58.706008",
      "sales_dollars": "0.000000",
      "fees_dollars": "0.000000",
      "credits_dollars": "10000.000000",
      "lines": [
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "workspace": "wksp_ha51Jpm6liA73tlZlMYlT",
          "purchases_dollars": "58.706008",
          "sales_dollars": "0.000000",
          "fees_dollars": "0.000000",
          "credits_dollars": "0.000000"
        },
        {
          "sku": null,
          "workspace": null,
          "purchases_dollars": "0.000000",
          "sales_dollars": "0.000000",
          "fees_dollars": "0.000000",
          "credits_dollars": "10000.000000"
        }
      ]
    }
  },
  "create_account_transaction": {
    "params": {
      "account": "acme"
    },
    "body": {
      "type": "manual_payment",
      "amount_dollars": "2500.00",
      "description": "Invoice 2026-118"
    },
    "response": {
      "object": "transaction",
      "id": "txn_ngs9J4nFN3PDnLZuBDvZT",
      "type": "manual_payment",
      "amount_dollars": "2500.000000",
      "balance_after_dollars": "12441.293992",
      "fee_dollars": "0.000000",
      "order": null,
      "fill": null,
      "workspace": null,
      "description": "Invoice 2026-118",
      "created_at": 1795424400
    }
  },
  "list_account_transactions": {
    "params": {
      "account": "acme"
    },
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "transaction",
          "id": "txn_ngs9J4nFN3PDnLZuBDvZT",
          "type": "manual_payment",
          "amount_dollars": "2500.000000",
          "balance_after_dollars": "12441.293992",
          "fee_dollars": "0.000000",
          "order": null,
          "fill": null,
          "workspace": null,
          "description": "Invoice 2026-118",
          "created_at": 1795424400
        },
        {
          "object": "transaction",
          "id": "txn_ZlhPlnvZXedThUedTF2ja",
          "type": "buy_fill",
          "amount_dollars": "-58.706008",
          "balance_after_dollars": "9941.293992",
          "fee_dollars": "0.000000",
          "order": "ordr_-4_8CP0Uax6zUqcH-bCRk",
          "fill": "fill_Pm5nabIY-hYFnMKS_WbhP",
          "workspace": "wksp_ha51Jpm6liA73tlZlMYlT",
          "description": null,
          "created_at": 1795424400
        }
      ],
      "has_more": true,
      "cursor": "txc_bMnnK4JwAxfsuUxnEMY9VJZX"
    }
  },
  "put_credit_limit": {
    "params": {
      "account": "acme"
    },
    "body": {
      "credit_limit_dollars": "1000.00"
    },
    "response": {
      "object": "balance",
      "available_dollars": "13434.693992",
      "total_dollars": "12441.293992",
      "held_dollars": "6.600000",
      "credit_limit_dollars": "1000.000000",
      "low_at_dollars": "50.000000",
      "is_low": false,
      "updated_at": 1795424400
    }
  },
  "create_account": {
    "body": {
      "id": "fathom",
      "name": "Fathom Labs",
      "entity_type": "business",
      "trust_level": "basic"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom Labs",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795424400,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795424400
      },
      "token": "eyJhbGciOiJFZERTQSJ9.q8kzeDJcDohQm-nV--E-1-KV.signature"
    }
  },
  "list_accounts": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "account",
          "id": "fathom",
          "name": "Fathom Labs",
          "entity_type": "business",
          "trust_level": "basic",
          "is_frozen": false,
          "is_platform": false,
          "token_lifetime_max_days": 365,
          "created_at": 1795424400,
          "balance": {
            "object": "balance",
            "available_dollars": "0.000000",
            "total_dollars": "0.000000",
            "held_dollars": "0.000000",
            "credit_limit_dollars": "0.000000",
            "low_at_dollars": null,
            "is_low": false,
            "updated_at": 1795424400
          }
        },
        {
          "object": "account",
          "id": "tidewater",
          "name": "Tidewater Markets",
          "entity_type": null,
          "trust_level": "partner",
          "is_frozen": false,
          "is_platform": false,
          "token_lifetime_max_days": 365,
          "created_at": 1791968400,
          "balance": {
            "object": "balance",
            "available_dollars": "999969900.078495",
            "total_dollars": "1000001153.941122",
            "held_dollars": "31253.862627",
            "credit_limit_dollars": "0.000000",
            "low_at_dollars": null,
            "is_low": false,
            "updated_at": 1795424400
          }
        }
      ],
      "has_more": true,
      "cursor": "acctc_1kUwnkgd8q6iGlEmdLvFA-c6"
    }
  },
  "get_administered_account": {
    "params": {
      "account": "fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom Labs",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795424400,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795424400
      }
    }
  },
  "update_account": {
    "params": {
      "account": "fathom"
    },
    "body": {
      "name": "Fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795424400,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795424400
      }
    }
  },
  "freeze_account": {
    "params": {
      "account": "fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": true,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795424400,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795424400
      }
    }
  },
  "unfreeze_account": {
    "params": {
      "account": "fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795424400,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795424400
      }
    }
  },
  "set_trust_level": {
    "params": {
      "account": "fathom"
    },
    "body": {
      "trust_level": "trusted"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "trusted",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795424400,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795424400
      }
    }
  },
  "create_account_user": {
    "params": {
      "account": "fathom"
    },
    "body": {
      "email": "joan@fathom.example",
      "name": "joan",
      "first_name": "Joan",
      "last_name": "Clarke"
    },
    "response": {
      "object": "user",
      "id": "usr_kRHnr0jPhfQQ--KlhZxct",
      "resource_path": "svc:user:fathom:joan",
      "name": "joan",
      "email": "joan@fathom.example",
      "first_name": "Joan",
      "last_name": "Clarke",
      "created_at": 1795424400
    }
  },
  "list_account_limits": {
    "params": {
      "account": "acme"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "limit",
          "name": "workspaces",
          "unit": "count",
          "value": 50,
          "used": 3,
          "scope": "account",
          "source": "trust_level"
        },
        {
          "object": "limit",
          "name": "users",
          "unit": "count",
          "value": 200,
          "used": 2,
          "scope": "account",
          "source": "trust_level"
        }
      ],
      "has_more": false
    }
  },
  "put_account_limit": {
    "params": {
      "account": "acme",
      "name": "instances"
    },
    "body": {
      "value": 500
    },
    "response": {
      "object": "limit",
      "name": "instances",
      "unit": "count",
      "value": 500,
      "used": 12,
      "scope": "account",
      "source": "override"
    }
  },
  "delete_account_limit": {
    "params": {
      "account": "acme",
      "name": "instances"
    }
  },
  "create_webhook": {
    "body": {
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "enabled": false
    },
    "response": {
      "object": "webhook",
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "none",
      "enabled": false,
      "state": "disabled",
      "disabled_reason": "user",
      "cursor": "evtc_dITDJLoOblcsKx5Y3IAuB3AI",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400,
      "secret": "whsec_lK2TKzdJq05qmkVtsYLaMgQF="
    }
  },
  "list_webhooks": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "webhook",
          "id": "whk_oveA56DM9o8lRSvHkDPMe",
          "url": "https://hooks.acme.example/bourse",
          "description": "Pager of the training team",
          "actions": [
            "instance.termination_imminent",
            "instance.failed"
          ],
          "target_types": [],
          "targets": [],
          "ordering": "none",
          "enabled": false,
          "state": "disabled",
          "disabled_reason": "user",
          "cursor": "evtc_dITDJLoOblcsKx5Y3IAuB3AI",
          "replay": null,
          "last_success_at": null,
          "last_failure_at": null,
          "created_at": 1795424400,
          "updated_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "whkc_ce3WIIYGbeL-urTELn08yxzx"
    }
  },
  "get_webhook": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    },
    "response": {
      "object": "webhook",
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "none",
      "enabled": false,
      "state": "disabled",
      "disabled_reason": "user",
      "cursor": "evtc_dITDJLoOblcsKx5Y3IAuB3AI",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "rotate_webhook_secret": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    },
    "response": {
      "object": "webhook",
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "none",
      "enabled": false,
      "state": "disabled",
      "disabled_reason": "user",
      "cursor": "evtc_dITDJLoOblcsKx5Y3IAuB3AI",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400,
      "secret": "whsec_KAz375Typvg28jb788uOkGnD="
    }
  },
  "test_webhook": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    },
    "response": {
      "object": "webhook_delivery",
      "id": "wdlv_7Ne6BEnISr3qT2LZzyYqt",
      "webhook": "whk_oveA56DM9o8lRSvHkDPMe",
      "event": null,
      "origin": "test",
      "state": "pending",
      "attempts": [],
      "next_attempt_at": 1795424400,
      "created_at": 1795424400
    }
  },
  "list_webhook_deliveries": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "webhook_delivery",
          "id": "wdlv_7Ne6BEnISr3qT2LZzyYqt",
          "webhook": "whk_oveA56DM9o8lRSvHkDPMe",
          "event": null,
          "origin": "test",
          "state": "pending",
          "attempts": [
            {
              "at": 1795424400,
              "status": null,
              "error": "dns_failed",
              "duration_ms": 23
            }
          ],
          "next_attempt_at": 1795424405,
          "created_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "wdlvc_w-rXOq2tQOL1oWz-3JZuidJY"
    }
  },
  "get_webhook_delivery": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "delivery": "wdlv_7Ne6BEnISr3qT2LZzyYqt"
    },
    "response": {
      "object": "webhook_delivery",
      "id": "wdlv_7Ne6BEnISr3qT2LZzyYqt",
      "webhook": "whk_oveA56DM9o8lRSvHkDPMe",
      "event": null,
      "origin": "test",
      "state": "pending",
      "attempts": [
        {
          "at": 1795424400,
          "status": null,
          "error": "dns_failed",
          "duration_ms": 23
        }
      ],
      "next_attempt_at": 1795424405,
      "created_at": 1795424400
    }
  },
  "redeliver_webhook_delivery": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "delivery": "wdlv_7Ne6BEnISr3qT2LZzyYqt"
    },
    "response": {
      "object": "webhook_delivery",
      "id": "wdlv_W4uGAZW6xMkN9JvuFXAp3",
      "webhook": "whk_oveA56DM9o8lRSvHkDPMe",
      "event": null,
      "origin": "test",
      "state": "pending",
      "attempts": [],
      "next_attempt_at": 1795424400,
      "created_at": 1795424400
    }
  },
  "update_webhook": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    },
    "body": {
      "ordering": "per_target",
      "enabled": true
    },
    "response": {
      "object": "webhook",
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "per_target",
      "enabled": true,
      "state": "active",
      "disabled_reason": null,
      "cursor": "evtc_dITDJLoOblcsKx5Y3IAuB3AI",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "replay_webhook": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    },
    "body": {
      "starting_after": "evtc_dITDJLoOblcsKx5Y3IAuB3AI"
    },
    "response": {
      "object": "webhook",
      "id": "whk_oveA56DM9o8lRSvHkDPMe",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "per_target",
      "enabled": true,
      "state": "active",
      "disabled_reason": null,
      "cursor": "evtc_dITDJLoOblcsKx5Y3IAuB3AI",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "delete_webhook": {
    "params": {
      "id": "whk_oveA56DM9o8lRSvHkDPMe"
    }
  },
  "create_pending_credit": {
    "params": {
      "account": "acme"
    },
    "body": {
      "type": "credit_grant",
      "amount_dollars": "250000.00",
      "description": "Framework contract 2026"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_s4B-KjmFKCoiDOi1u6tTy",
      "account": "acme",
      "state": "pending",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_pPkaydznBj_PX3wVfKEGN",
        "name": "humble-river-2wkM54"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": null,
      "decided_at": null,
      "transaction": null
    }
  },
  "list_pending_credits": {
    "query": {
      "state": "pending"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pending_credit",
          "id": "pcrd_s4B-KjmFKCoiDOi1u6tTy",
          "account": "acme",
          "state": "pending",
          "type": "credit_grant",
          "amount_dollars": "250000.000000",
          "limit_before_dollars": null,
          "description": "Framework contract 2026",
          "requested_by": {
            "type": "token",
            "id": "tokn_pPkaydznBj_PX3wVfKEGN",
            "name": "humble-river-2wkM54"
          },
          "requested_at": 1795424400,
          "expires_at": 1796029200,
          "decided_by": null,
          "decided_at": null,
          "transaction": null
        }
      ],
      "has_more": false,
      "cursor": "pcrdc_vjcbegobpVWLklkBBMJbnsZe"
    }
  },
  "approve_pending_credit": {
    "params": {
      "id": "pcrd_s4B-KjmFKCoiDOi1u6tTy"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_s4B-KjmFKCoiDOi1u6tTy",
      "account": "acme",
      "state": "approved",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_pPkaydznBj_PX3wVfKEGN",
        "name": "humble-river-2wkM54"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": {
        "type": "token",
        "id": "tokn_rPzB0ozcBr5waFY-pmd7D",
        "name": "humble-sparrow-IAFi5T"
      },
      "decided_at": 1795424400,
      "transaction": "txn_wTBcdRoLH7_UO9mh3uZh5"
    }
  },
  "get_pending_credit": {
    "params": {
      "id": "pcrd_s4B-KjmFKCoiDOi1u6tTy"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_s4B-KjmFKCoiDOi1u6tTy",
      "account": "acme",
      "state": "approved",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_pPkaydznBj_PX3wVfKEGN",
        "name": "humble-river-2wkM54"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": {
        "type": "token",
        "id": "tokn_rPzB0ozcBr5waFY-pmd7D",
        "name": "humble-sparrow-IAFi5T"
      },
      "decided_at": 1795424400,
      "transaction": "txn_wTBcdRoLH7_UO9mh3uZh5"
    }
  },
  "refuse_pending_credit": {
    "params": {
      "id": "pcrd_GBqH77AmWAyaBgKRjWlsf"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_GBqH77AmWAyaBgKRjWlsf",
      "account": "acme",
      "state": "refused",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_pPkaydznBj_PX3wVfKEGN",
        "name": "humble-river-2wkM54"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": {
        "type": "token",
        "id": "tokn_pPkaydznBj_PX3wVfKEGN",
        "name": "humble-river-2wkM54"
      },
      "decided_at": 1795424400,
      "transaction": null
    }
  },
  "create_budget": {
    "body": {
      "name": "research",
      "workspace": "svc:workspace:acme:research",
      "period": "month",
      "amount_dollars": "5000.00",
      "thresholds_percent": [
        50,
        80
      ],
      "hard_stop": true
    },
    "response": {
      "object": "budget",
      "id": "bdgt_lIAyWyuG5sC476gGquUr9",
      "name": "research",
      "workspace": "wksp_YuQ0ogA91TgWw2QHZW8oP",
      "period": "month",
      "amount_dollars": "5000.000000",
      "thresholds_percent": [
        50,
        80
      ],
      "threshold_basis": "actual",
      "reached_percent": [],
      "hard_stop": true,
      "spent_dollars": "0.000000",
      "held_dollars": "0.000000",
      "forecast_dollars": "0.000000",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "update_budget": {
    "params": {
      "id": "bdgt_lIAyWyuG5sC476gGquUr9"
    },
    "body": {
      "amount_dollars": "7500.00"
    },
    "response": {
      "object": "budget",
      "id": "bdgt_lIAyWyuG5sC476gGquUr9",
      "name": "research",
      "workspace": "wksp_YuQ0ogA91TgWw2QHZW8oP",
      "period": "month",
      "amount_dollars": "7500.000000",
      "thresholds_percent": [
        50,
        80
      ],
      "threshold_basis": "actual",
      "reached_percent": [],
      "hard_stop": true,
      "spent_dollars": "0.000000",
      "held_dollars": "0.000000",
      "forecast_dollars": "0.000000",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "delete_budget": {
    "params": {
      "id": "bdgt_lIAyWyuG5sC476gGquUr9"
    }
  },
  "create_host_enrolment": {
    "body": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "slots": 1,
      "uses": 8,
      "expires_in_seconds": 86400
    },
    "response": {
      "object": "host_enrolment",
      "id": "henr_1yG0dRrGX9OvkDEF5R0KJ",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "slots": 1,
      "uses": 8,
      "used": 0,
      "expires_at": 1795510800,
      "created_at": 1795424400,
      "token": "bhe_4DnG7cfJ9KHxkIqMlouRTS5Cfh7zblh6vFZMS-Msib8",
      "command": "mkdir -p bourse-agent && curl -fsS https://bourse.example/agent/v1/bundle.tgz | tar -xz -C bourse-agent && printf %s bhe_4DnG7cfJ9KHxkIqMlouRTS5Cfh7zblh6vFZMS-Msib8 | bourse-agent/packages/agent/bin/bourse agent enrol --server https://bourse.example --token-file - && bourse-agent/packages/agent/bin/bourse agent run"
    }
  },
  "delete_host_enrolment": {
    "params": {
      "id": "henr_1yG0dRrGX9OvkDEF5R0KJ"
    }
  },
  "create_agent_bundle": {
    "body": {
      "manifest": "{\"object\":\"agent_bundle_manifest\",\"commit\":\"1a2b3c4d5e6f\",\"architecture\":\"any\",\"protocol\":1,\"oldest_server_protocol\":1,\"sha256\":\"056badb4d8ee3ccf1e3358ae0a1407efbb8d6131c18322af7c32baff7ed5b5f6\",\"size_bytes\":16,\"version\":\"1.4.0\"}",
      "signature": "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgrwaj4ykXFOTzVsGcmxXNGVHsbm\nZiqne+B1R/KJODNB0AAAAMYm91cnNlLWFnZW50AAAAAAAAAAZzaGE1MTIAAABTAAAAC3Nz\naC1lZDI1NTE5AAAAQDa9otSL1gBlGr9cbHSsqqFhcXhVnY4suSj/RfKsUto9eIiHDubcf5\nLnE6YbgqYVn3BGuSCcJDWW70ofViWOxgg=\n-----END SSH SIGNATURE-----\n",
      "content": "YXJjaGl2ZSBvZiAxLjQuMA=="
    },
    "response": {
      "object": "agent_bundle",
      "id": "abdl_L6kifFCzSYCPqlf2GVsKW",
      "version": "1.4.0",
      "commit": "4f2c1e7",
      "architecture": "any",
      "protocol": 1,
      "oldest_server_protocol": 1,
      "sha256": "58fdd97a59ceba7a0a18e1719d81357a69061a26b459527b80629034f36bfbf9",
      "size_bytes": 1610612736,
      "signer": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK8Go+MpFxTk81bBnJsVzRlR7G5mYqp3vgdUfyiTgzQd",
      "created_at": 1795424400
    }
  },
  "list_agent_bundles": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "agent_bundle",
          "id": "abdl_L6kifFCzSYCPqlf2GVsKW",
          "version": "1.4.0",
          "commit": "4f2c1e7",
          "architecture": "any",
          "protocol": 1,
          "oldest_server_protocol": 1,
          "sha256": "58fdd97a59ceba7a0a18e1719d81357a69061a26b459527b80629034f36bfbf9",
          "size_bytes": 1610612736,
          "signer": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK8Go+MpFxTk81bBnJsVzRlR7G5mYqp3vgdUfyiTgzQd",
          "created_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "abdlc_pHp1L7eC-epm2nYSjizjJ1FY"
    }
  },
  "create_agent_rollout": {
    "body": {
      "agent_version": "1.4.0",
      "groups": [
        "canary=1%",
        "early=10%"
      ]
    },
    "response": {
      "object": "agent_rollout",
      "id": "arol_27vWK1iQ12_5_kcd2GHtj",
      "agent_version": "1.4.0",
      "rolls_back": null,
      "state": "running",
      "halt_reason": null,
      "halt_message": null,
      "group": null,
      "groups": [
        {
          "name": "canary",
          "percent": 1,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        },
        {
          "name": "early",
          "percent": 10,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        }
      ],
      "hosts": [],
      "health_seconds": 120,
      "return_seconds": 600,
      "hosts_at_once": 1,
      "created_at": 1795424400,
      "ended_at": null
    }
  },
  "list_agent_rollouts": {
    "query": {
      "state": "running"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "agent_rollout",
          "id": "arol_27vWK1iQ12_5_kcd2GHtj",
          "agent_version": "1.4.0",
          "rolls_back": null,
          "state": "running",
          "halt_reason": null,
          "halt_message": null,
          "group": null,
          "groups": [
            {
              "name": "canary",
              "percent": 1,
              "hosts": 0,
              "pending": 0,
              "updating": 0,
              "updated": 0,
              "failed": 0,
              "skipped": 0
            },
            {
              "name": "early",
              "percent": 10,
              "hosts": 0,
              "pending": 0,
              "updating": 0,
              "updated": 0,
              "failed": 0,
              "skipped": 0
            }
          ],
          "hosts": [],
          "health_seconds": 120,
          "return_seconds": 600,
          "hosts_at_once": 1,
          "created_at": 1795424400,
          "ended_at": null
        }
      ],
      "has_more": false,
      "cursor": "arolc_GbC-DU-kpunlkGHeXJptjpK1"
    }
  },
  "get_agent_rollout": {
    "params": {
      "id": "arol_27vWK1iQ12_5_kcd2GHtj"
    },
    "response": {
      "object": "agent_rollout",
      "id": "arol_27vWK1iQ12_5_kcd2GHtj",
      "agent_version": "1.4.0",
      "rolls_back": null,
      "state": "running",
      "halt_reason": null,
      "halt_message": null,
      "group": null,
      "groups": [
        {
          "name": "canary",
          "percent": 1,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        },
        {
          "name": "early",
          "percent": 10,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        }
      ],
      "hosts": [],
      "health_seconds": 120,
      "return_seconds": 600,
      "hosts_at_once": 1,
      "created_at": 1795424400,
      "ended_at": null
    }
  },
  "halt_agent_rollout": {
    "params": {
      "id": "arol_27vWK1iQ12_5_kcd2GHtj"
    },
    "response": {
      "object": "agent_rollout",
      "id": "arol_27vWK1iQ12_5_kcd2GHtj",
      "agent_version": "1.4.0",
      "rolls_back": null,
      "state": "halted",
      "halt_reason": "operator",
      "halt_message": "An operator has halted it.",
      "group": null,
      "groups": [
        {
          "name": "canary",
          "percent": 1,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        },
        {
          "name": "early",
          "percent": 10,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        }
      ],
      "hosts": [],
      "health_seconds": 120,
      "return_seconds": 600,
      "hosts_at_once": 1,
      "created_at": 1795424400,
      "ended_at": null
    }
  },
  "resume_agent_rollout": {
    "params": {
      "id": "arol_27vWK1iQ12_5_kcd2GHtj"
    },
    "response": {
      "object": "agent_rollout",
      "id": "arol_27vWK1iQ12_5_kcd2GHtj",
      "agent_version": "1.4.0",
      "rolls_back": null,
      "state": "running",
      "halt_reason": null,
      "halt_message": null,
      "group": null,
      "groups": [
        {
          "name": "canary",
          "percent": 1,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        },
        {
          "name": "early",
          "percent": 10,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        }
      ],
      "hosts": [],
      "health_seconds": 120,
      "return_seconds": 600,
      "hosts_at_once": 1,
      "created_at": 1795424400,
      "ended_at": null
    }
  },
  "roll_back_agent_rollout": {
    "params": {
      "id": "arol_27vWK1iQ12_5_kcd2GHtj"
    },
    "response": {
      "object": "agent_rollout",
      "id": "arol_PomFGOBNrSK3InauZ3-qQ",
      "agent_version": "1.4.0",
      "rolls_back": "arol_27vWK1iQ12_5_kcd2GHtj",
      "state": "running",
      "halt_reason": null,
      "halt_message": null,
      "group": null,
      "groups": [
        {
          "name": "rest",
          "percent": null,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        }
      ],
      "hosts": [],
      "health_seconds": 120,
      "return_seconds": 600,
      "hosts_at_once": 1,
      "created_at": 1795424400,
      "ended_at": null
    }
  },
  "cancel_agent_rollout": {
    "params": {
      "id": "arol_PomFGOBNrSK3InauZ3-qQ"
    },
    "response": {
      "object": "agent_rollout",
      "id": "arol_PomFGOBNrSK3InauZ3-qQ",
      "agent_version": "1.4.0",
      "rolls_back": "arol_27vWK1iQ12_5_kcd2GHtj",
      "state": "cancelled",
      "halt_reason": null,
      "halt_message": null,
      "group": null,
      "groups": [
        {
          "name": "rest",
          "percent": null,
          "hosts": 0,
          "pending": 0,
          "updating": 0,
          "updated": 0,
          "failed": 0,
          "skipped": 0
        }
      ],
      "hosts": [],
      "health_seconds": 120,
      "return_seconds": 600,
      "hosts_at_once": 1,
      "created_at": 1795424400,
      "ended_at": 1795424400
    }
  },
  "get_agent_bundle": {
    "params": {
      "id": "abdl_L6kifFCzSYCPqlf2GVsKW"
    },
    "response": {
      "object": "agent_bundle",
      "id": "abdl_L6kifFCzSYCPqlf2GVsKW",
      "version": "1.4.0",
      "commit": "4f2c1e7",
      "architecture": "any",
      "protocol": 1,
      "oldest_server_protocol": 1,
      "sha256": "58fdd97a59ceba7a0a18e1719d81357a69061a26b459527b80629034f36bfbf9",
      "size_bytes": 1610612736,
      "signer": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK8Go+MpFxTk81bBnJsVzRlR7G5mYqp3vgdUfyiTgzQd",
      "created_at": 1795424400
    }
  },
  "delete_agent_bundle": {
    "params": {
      "id": "abdl_L6kifFCzSYCPqlf2GVsKW"
    }
  },
  "list_hosts": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "host",
          "id": "host_AHd82_iA6TOR1-3CgWxwP",
          "resource_path": "svc:host:gridworks:default:nimble-pebble-qAq2V0",
          "account": "gridworks",
          "workspace": {
            "object": "workspace",
            "id": "wksp_fBj3hGGf2Z9b7BMFBKsOH",
            "name": "default",
            "resource_path": "svc:workspace:gridworks:default"
          },
          "sku": {
            "object": "sku",
            "id": "sku_kzo_IGNErDmOqXDkvWj3l",
            "alias": "v100-north"
          },
          "pool": {
            "object": "pool",
            "id": "pool_UTphdtqA3kl5yOkBWcuzy",
            "name": "supply",
            "resource_path": "svc:pool:gridworks:default:supply"
          },
          "name": "nimble-pebble-qAq2V0",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 1,
          "instances": [
            "inst_oj71EF-RwpyTjncLP4GiF"
          ],
          "agent_version": null,
          "agent_commit": null,
          "agent_managed_by": "none",
          "agent_pinned": false,
          "facts": {
            "hostname": "simulated-10",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "v100",
              "v100"
            ],
            "network": "full",
            "host_address": "10.128.0.10",
            "public_ipv4s": [
              "198.18.0.53",
              "198.18.0.54"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "v100",
                  "name": "NVIDIA V100",
                  "form_factor": "pcie",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424400,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795420800,
          "retired_at": null
        },
        {
          "object": "host",
          "id": "host_it-YuN7i4eiH1UV1lJ6GJ",
          "resource_path": "svc:host:gridworks:default:nimble-pebble-eTPoTA",
          "account": "gridworks",
          "workspace": {
            "object": "workspace",
            "id": "wksp_fBj3hGGf2Z9b7BMFBKsOH",
            "name": "default",
            "resource_path": "svc:workspace:gridworks:default"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "pool": {
            "object": "pool",
            "id": "pool_UTphdtqA3kl5yOkBWcuzy",
            "name": "supply",
            "resource_path": "svc:pool:gridworks:default:supply"
          },
          "name": "nimble-pebble-eTPoTA",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 4,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "agent_commit": null,
          "agent_managed_by": "none",
          "agent_pinned": false,
          "facts": {
            "hostname": "simulated-9",
            "cpu_count": 768,
            "memory_bytes": 8798240505856,
            "storage_bytes": 65970697666560,
            "accelerators": [
              "a100",
              "a100"
            ],
            "network": "full",
            "host_address": "10.128.0.9",
            "public_ipv4s": [
              "198.18.0.49",
              "198.18.0.50"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 384,
                "threads": 768,
                "features": []
              },
              "memory_bytes": 8798240505856,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 384,
                  "memory_bytes": 4399120252928,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 384,
                  "memory_bytes": 4399120252928,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 65970697666560,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "a100",
                  "name": "NVIDIA A100",
                  "form_factor": "pcie",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "ethernet",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424400,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795420800,
          "retired_at": null
        }
      ],
      "has_more": true,
      "cursor": "hostc_FSEGP-xctI600vNy-_bUxokV"
    }
  },
  "pin_host_agent": {
    "params": {
      "id": "host_AHd82_iA6TOR1-3CgWxwP"
    },
    "response": {
      "object": "host",
      "id": "host_AHd82_iA6TOR1-3CgWxwP",
      "resource_path": "svc:host:gridworks:default:nimble-pebble-qAq2V0",
      "account": "gridworks",
      "workspace": {
        "object": "workspace",
        "id": "wksp_fBj3hGGf2Z9b7BMFBKsOH",
        "name": "default",
        "resource_path": "svc:workspace:gridworks:default"
      },
      "sku": {
        "object": "sku",
        "id": "sku_kzo_IGNErDmOqXDkvWj3l",
        "alias": "v100-north"
      },
      "pool": {
        "object": "pool",
        "id": "pool_UTphdtqA3kl5yOkBWcuzy",
        "name": "supply",
        "resource_path": "svc:pool:gridworks:default:supply"
      },
      "name": "nimble-pebble-qAq2V0",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 1,
      "instances": [
        "inst_oj71EF-RwpyTjncLP4GiF"
      ],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": true,
      "facts": {
        "hostname": "simulated-10",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "v100",
          "v100"
        ],
        "network": "full",
        "host_address": "10.128.0.10",
        "public_ipv4s": [
          "198.18.0.53",
          "198.18.0.54"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "v100",
              "name": "NVIDIA V100",
              "form_factor": "pcie",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424400,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795420800,
      "retired_at": null
    }
  },
  "unpin_host_agent": {
    "params": {
      "id": "host_AHd82_iA6TOR1-3CgWxwP"
    },
    "response": {
      "object": "host",
      "id": "host_AHd82_iA6TOR1-3CgWxwP",
      "resource_path": "svc:host:gridworks:default:nimble-pebble-qAq2V0",
      "account": "gridworks",
      "workspace": {
        "object": "workspace",
        "id": "wksp_fBj3hGGf2Z9b7BMFBKsOH",
        "name": "default",
        "resource_path": "svc:workspace:gridworks:default"
      },
      "sku": {
        "object": "sku",
        "id": "sku_kzo_IGNErDmOqXDkvWj3l",
        "alias": "v100-north"
      },
      "pool": {
        "object": "pool",
        "id": "pool_UTphdtqA3kl5yOkBWcuzy",
        "name": "supply",
        "resource_path": "svc:pool:gridworks:default:supply"
      },
      "name": "nimble-pebble-qAq2V0",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 1,
      "instances": [
        "inst_oj71EF-RwpyTjncLP4GiF"
      ],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-10",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "v100",
          "v100"
        ],
        "network": "full",
        "host_address": "10.128.0.10",
        "public_ipv4s": [
          "198.18.0.53",
          "198.18.0.54"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "v100",
              "name": "NVIDIA V100",
              "form_factor": "pcie",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424400,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795420800,
      "retired_at": null
    }
  },
  "create_image": {
    "body": {
      "name": "trainer-3"
    },
    "response": {
      "object": "image",
      "id": "image_0A2vu_2Ge40pfUiCYyzBW",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "started",
      "failure_reason": null,
      "sha256": null,
      "size_bytes": 1610612736,
      "format": null,
      "virtual_size_bytes": null,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "create_image_part": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "body": {
      "part_id": 1
    },
    "response": {
      "object": "image_part_url",
      "part_id": 1,
      "url": "https://bourse.example/image_data/image_0A2vu_2Ge40pfUiCYyzBW/parts/1?expires_at=1795428000&holder=tokn_ean9C31U_-TM6Bz51TjkO&revoked_at=0&key_id=1&signature=faab49cd105b724ab70b8bce43bd7e06a82f229d5312eda9616bc47d4f0ab92d",
      "expires_at": 1795428000
    }
  },
  "list_image_parts": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "image_part",
          "part_id": 1,
          "size_bytes": 1610612736,
          "etag": "\"2a1e6206566f43e934c315b4ffbd4a26\"",
          "uploaded_at": 1795424400
        }
      ],
      "has_more": false
    }
  },
  "complete_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "body": {
      "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5"
    },
    "response": {
      "object": "image",
      "id": "image_0A2vu_2Ge40pfUiCYyzBW",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "list_images": {
    "query": {
      "limit": 2,
      "state": "completed"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "image",
          "id": "image_0A2vu_2Ge40pfUiCYyzBW",
          "resource_path": "svc:image:acme:default:trainer-3",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "trainer-3",
          "is_public": false,
          "state": "completed",
          "failure_reason": null,
          "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5",
          "size_bytes": 1610612736,
          "format": "raw",
          "virtual_size_bytes": 4096,
          "deprecated_at": null,
          "deprecation_message": null,
          "revoked_at": null,
          "created_at": 1795424400
        },
        {
          "object": "image",
          "id": "image_zxUwvPdyoDPcHRj9WGIFL",
          "resource_path": "svc:image:acme:default:trainer-1",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "trainer-1",
          "is_public": false,
          "state": "completed",
          "failure_reason": null,
          "sha256": "95e5f4cbad3323f6021c273563717e1ff909c8f45ddac4cdeeaa9ff5c4ce19a0",
          "size_bytes": 1610612736,
          "format": "qcow2",
          "virtual_size_bytes": 21474836480,
          "deprecated_at": 1795420800,
          "deprecation_message": "Use trainer-2.",
          "revoked_at": null,
          "created_at": 1795420800
        }
      ],
      "has_more": true,
      "cursor": "imagec_LHdKkE_eAVFYkUuTzAp-jd1z"
    }
  },
  "get_image": {
    "params": {
      "id": "image_FlOSp3HYmqfTSgok_jXyI"
    },
    "response": {
      "object": "image",
      "id": "image_FlOSp3HYmqfTSgok_jXyI",
      "resource_path": "svc:image:acme:default:trainer-2",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-2",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "51be8c326758c2facac118a38e5deef84d49b7421714d121802fefbffa46b37d",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795420800
    }
  },
  "get_image_download": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "image_download",
      "url": "https://bourse.example/image_data/image_0A2vu_2Ge40pfUiCYyzBW?expires_at=1795428060&holder=tokn_ean9C31U_-TM6Bz51TjkO&revoked_at=0&key_id=1&signature=f18a7d95391abdbc198ef1c829ae11019935da9974e566ccc39c8cbe273e6d2f",
      "expires_at": 1795428060,
      "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5",
      "size_bytes": 1610612736
    }
  },
  "revoke_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "image",
      "id": "image_0A2vu_2Ge40pfUiCYyzBW",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "revoked",
      "failure_reason": null,
      "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": 1795424460,
      "created_at": 1795424400
    }
  },
  "reinstate_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "image",
      "id": "image_0A2vu_2Ge40pfUiCYyzBW",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "deprecate_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "body": {
      "message": "Use trainer-4: it has the new driver."
    },
    "response": {
      "object": "image",
      "id": "image_0A2vu_2Ge40pfUiCYyzBW",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "76308017291dff380cbecb4bf748d534260d3df45f0ec6d15e03c8aca0355ef5",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": 1795424460,
      "deprecation_message": "Use trainer-4: it has the new driver.",
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "delete_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    }
  },
  "create_firewall": {
    "body": {
      "name": "gateway",
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        },
        {
          "protocol": "tcp",
          "port_from": 22,
          "source_cidr": "203.0.113.0/24",
          "description": "SSH from the office"
        }
      ],
      "tags": {
        "tier": "front"
      }
    },
    "response": {
      "object": "firewall",
      "id": "frwl_T0jFZGLcwBlF3L7PBu8L8",
      "resource_path": "svc:firewall:acme:default:gateway",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "gateway",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "port_to": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        },
        {
          "protocol": "tcp",
          "port_from": 22,
          "port_to": 22,
          "source_cidr": "203.0.113.0/24",
          "description": "SSH from the office"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_firewalls": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "firewall",
          "id": "frwl_T0jFZGLcwBlF3L7PBu8L8",
          "resource_path": "svc:firewall:acme:default:gateway",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "gateway",
          "is_default": false,
          "rules": [
            {
              "protocol": "tcp",
              "port_from": 443,
              "port_to": 443,
              "source_cidr": "0.0.0.0/0",
              "description": "HTTPS"
            },
            {
              "protocol": "tcp",
              "port_from": 22,
              "port_to": 22,
              "source_cidr": "203.0.113.0/24",
              "description": "SSH from the office"
            }
          ],
          "tags": {
            "tier": "front"
          },
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "firewall",
          "id": "frwl_nZi2dGPwnMhsCuaOnap09",
          "resource_path": "svc:firewall:acme:default:spare",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "spare",
          "is_default": false,
          "rules": [
            {
              "protocol": "tcp",
              "port_from": 22,
              "port_to": 22,
              "source_cidr": "0.0.0.0/0"
            }
          ],
          "tags": null,
          "created_at": 1795420800,
          "updated_at": 1795420800
        }
      ],
      "has_more": true,
      "cursor": "frwlc_p6WMNxgI2lhpSl3pS9Q2Pgzk"
    }
  },
  "get_firewall": {
    "params": {
      "id": "frwl_gY2fLYLa5ZYFidiNxH0ct"
    },
    "response": {
      "object": "firewall",
      "id": "frwl_gY2fLYLa5ZYFidiNxH0ct",
      "resource_path": "svc:firewall:acme:default:web",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "web",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 22,
          "port_to": 22,
          "source_cidr": "0.0.0.0/0"
        },
        {
          "protocol": "tcp",
          "port_from": 80,
          "port_to": 80,
          "source_cidr": "0.0.0.0/0"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795420800,
      "updated_at": 1795420800
    }
  },
  "update_firewall": {
    "params": {
      "id": "svc:firewall:acme:default:gateway"
    },
    "body": {
      "name": "entry"
    },
    "response": {
      "object": "firewall",
      "id": "frwl_T0jFZGLcwBlF3L7PBu8L8",
      "resource_path": "svc:firewall:acme:default:entry",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "entry",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "port_to": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        },
        {
          "protocol": "tcp",
          "port_from": 22,
          "port_to": 22,
          "source_cidr": "203.0.113.0/24",
          "description": "SSH from the office"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "replace_firewall_rules": {
    "params": {
      "id": "svc:firewall:acme:default:entry"
    },
    "body": {
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        }
      ]
    },
    "response": {
      "object": "firewall",
      "id": "frwl_T0jFZGLcwBlF3L7PBu8L8",
      "resource_path": "svc:firewall:acme:default:entry",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "entry",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "port_to": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_firewall": {
    "params": {
      "id": "svc:firewall:acme:default:entry"
    }
  },
  "create_subnet": {
    "body": {
      "name": "storage",
      "region": "us-west",
      "cidr": "10.40.0.0/20"
    },
    "response": {
      "object": "subnet",
      "id": "snet_PYicaebE4JUq7k2kHccgw",
      "resource_path": "svc:subnet:acme:default:storage",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "storage",
      "region": "us-west",
      "cidr": "10.40.0.0/20",
      "available_addresses": 4091,
      "tags": null,
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_subnets": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "subnet",
          "id": "snet_PYicaebE4JUq7k2kHccgw",
          "resource_path": "svc:subnet:acme:default:storage",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "storage",
          "region": "us-west",
          "cidr": "10.40.0.0/20",
          "available_addresses": 4091,
          "tags": null,
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "subnet",
          "id": "snet_v9A4nqrSOeoMohBIKI2aP",
          "resource_path": "svc:subnet:acme:default:training",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "training",
          "region": "us-west",
          "cidr": "10.64.0.0/20",
          "available_addresses": 4087,
          "tags": null,
          "created_at": 1795420920,
          "updated_at": 1795420920
        }
      ],
      "has_more": false,
      "cursor": "snetc_i225KzYqRcFB1Kq4U-jrFGZR"
    }
  },
  "get_subnet": {
    "params": {
      "id": "snet_v9A4nqrSOeoMohBIKI2aP"
    },
    "response": {
      "object": "subnet",
      "id": "snet_v9A4nqrSOeoMohBIKI2aP",
      "resource_path": "svc:subnet:acme:default:training",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "training",
      "region": "us-west",
      "cidr": "10.64.0.0/20",
      "available_addresses": 4087,
      "tags": null,
      "created_at": 1795420920,
      "updated_at": 1795420920
    }
  },
  "update_subnet": {
    "params": {
      "id": "svc:subnet:acme:default:storage"
    },
    "body": {
      "name": "cache"
    },
    "response": {
      "object": "subnet",
      "id": "snet_PYicaebE4JUq7k2kHccgw",
      "resource_path": "svc:subnet:acme:default:cache",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "cache",
      "region": "us-west",
      "cidr": "10.40.0.0/20",
      "available_addresses": 4091,
      "tags": null,
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_subnet": {
    "params": {
      "id": "svc:subnet:acme:default:cache"
    }
  },
  "create_infiniband_partition": {
    "body": {
      "name": "sweeps",
      "infiniband_fabric": "west-ib"
    },
    "response": {
      "object": "infiniband_partition",
      "id": "ibpart_dMIWZ3uStJ7UgB7ROYh4H",
      "resource_path": "svc:infiniband_partition:acme:default:sweeps",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "sweeps",
      "infiniband_fabric": "west-ib",
      "tags": null,
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_infiniband_partitions": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "infiniband_partition",
          "id": "ibpart_dMIWZ3uStJ7UgB7ROYh4H",
          "resource_path": "svc:infiniband_partition:acme:default:sweeps",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "sweeps",
          "infiniband_fabric": "west-ib",
          "tags": null,
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "infiniband_partition",
          "id": "ibpart_leI_yVF7xpvgj884GtRjx",
          "resource_path": "svc:infiniband_partition:acme:default:training",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "training",
          "infiniband_fabric": "west-ib",
          "tags": null,
          "created_at": 1795420920,
          "updated_at": 1795420920
        }
      ],
      "has_more": false,
      "cursor": "ibpartc_ffSrK5sDwwM1W7j4maRKfibE"
    }
  },
  "get_infiniband_partition": {
    "params": {
      "id": "ibpart_leI_yVF7xpvgj884GtRjx"
    },
    "response": {
      "object": "infiniband_partition",
      "id": "ibpart_leI_yVF7xpvgj884GtRjx",
      "resource_path": "svc:infiniband_partition:acme:default:training",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "training",
      "infiniband_fabric": "west-ib",
      "tags": null,
      "created_at": 1795420920,
      "updated_at": 1795420920
    }
  },
  "update_infiniband_partition": {
    "params": {
      "id": "svc:infiniband_partition:acme:default:sweeps"
    },
    "body": {
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "infiniband_partition",
      "id": "ibpart_dMIWZ3uStJ7UgB7ROYh4H",
      "resource_path": "svc:infiniband_partition:acme:default:sweeps",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "sweeps",
      "infiniband_fabric": "west-ib",
      "tags": {
        "team": "training"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_infiniband_partition": {
    "params": {
      "id": "svc:infiniband_partition:acme:default:sweeps"
    }
  },
  "create_instance_template": {
    "body": {
      "name": "evaluator",
      "image": "svc:image:acme:default:trainer-2",
      "cloud_init_user_data": "I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW2h0b3BdCg==",
      "priority_level": "normal",
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "instance_template",
      "id": "itmpl_od1vj14k8H1rbrMUIELy2",
      "resource_path": "svc:instance_template:acme:default:evaluator",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluator",
      "image": {
        "object": "image",
        "id": "image_FlOSp3HYmqfTSgok_jXyI",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "cloud_init_user_data_used": true,
      "ssh_keys": [],
      "tags": {
        "team": "training"
      },
      "priority_level": "normal",
      "_preview_enable_public_ipv4": false,
      "_preview_firewall": null,
      "subnet": null,
      "_preview_infiniband_partition": null,
      "created_at": 1795424460
    }
  },
  "list_instance_templates": {
    "query": {
      "limit": 1
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance_template",
          "id": "itmpl_od1vj14k8H1rbrMUIELy2",
          "resource_path": "svc:instance_template:acme:default:evaluator",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "evaluator",
          "image": {
            "object": "image",
            "id": "image_FlOSp3HYmqfTSgok_jXyI",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "cloud_init_user_data_used": true,
          "ssh_keys": [],
          "tags": {
            "team": "training"
          },
          "priority_level": "normal",
          "_preview_enable_public_ipv4": false,
          "_preview_firewall": null,
          "subnet": null,
          "_preview_infiniband_partition": null,
          "created_at": 1795424460
        }
      ],
      "has_more": true,
      "cursor": "itmplc_YkmVTe6pJzNa_zGT5NnsY6ov"
    }
  },
  "get_instance_template": {
    "params": {
      "id": "itmpl_-koIqkGst0stwoVJJzq4j"
    },
    "response": {
      "object": "instance_template",
      "id": "itmpl_-koIqkGst0stwoVJJzq4j",
      "resource_path": "svc:instance_template:acme:default:trainer",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer",
      "image": {
        "object": "image",
        "id": "image_FlOSp3HYmqfTSgok_jXyI",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "cloud_init_user_data_used": true,
      "ssh_keys": [],
      "tags": {
        "team": "training"
      },
      "priority_level": "normal",
      "_preview_enable_public_ipv4": false,
      "_preview_firewall": null,
      "subnet": "snet_v9A4nqrSOeoMohBIKI2aP",
      "_preview_infiniband_partition": "ibpart_leI_yVF7xpvgj884GtRjx",
      "created_at": 1795420920
    }
  },
  "get_instance_template_cloud_init": {
    "params": {
      "id": "itmpl_-koIqkGst0stwoVJJzq4j"
    },
    "response": {
      "object": "cloud_init_user_data",
      "cloud_init_user_data": "IyEvYmluL3NoCmVjaG8gIkhlbGxvIGZyb20gQm91cnNlLiIgPiAvZXRjL21vdGQK"
    }
  },
  "delete_instance_template": {
    "params": {
      "id": "svc:instance_template:acme:default:evaluator"
    }
  },
  "list_instances": {
    "query": {
      "limit": 2,
      "state": "running"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance",
          "id": "inst_NNVZ70iX_qxs2BARk6Ztm",
          "resource_path": "svc:instance:acme:research:lab",
          "workspace": {
            "object": "workspace",
            "id": "wksp_YuQ0ogA91TgWw2QHZW8oP",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "name": "lab",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "image": {
            "object": "image",
            "id": "image_BCDF8gb7jG1TROVjL_7Cy",
            "name": "ubuntu-24.04",
            "resource_path": "svc:image:bourse:public:ubuntu-24.04"
          },
          "pool": {
            "object": "pool",
            "id": "pool_vZ--d8IiaIs8Y-OJ1QtQc",
            "name": "lab",
            "resource_path": "svc:pool:acme:research:lab"
          },
          "created_at": 1795421760,
          "_preview_updated_at": 1795421760,
          "cloud_init_user_data_used": false,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "44e2a6792eb61c63",
            "accelerators": [
              {
                "kind": "a100",
                "pci": "0000:18:00.0"
              },
              {
                "kind": "a100",
                "pci": "0000:19:00.0"
              }
            ],
            "numa": [
              1
            ],
            "verified_at": 1795420800
          }
        },
        {
          "object": "instance",
          "id": "inst_oj71EF-RwpyTjncLP4GiF",
          "resource_path": "svc:instance:acme:default:legacy-worker",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "legacy-worker",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_kzo_IGNErDmOqXDkvWj3l",
            "alias": "v100-north"
          },
          "image": {
            "object": "image",
            "id": "image_FlOSp3HYmqfTSgok_jXyI",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_b8u4Q4srZb688GHWxi7CD",
            "name": "legacy",
            "resource_path": "svc:pool:acme:default:legacy"
          },
          "created_at": 1795421640,
          "_preview_updated_at": 1795421640,
          "cloud_init_user_data_used": true,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "e667e825f445d325",
            "accelerators": [
              {
                "kind": "v100",
                "pci": "0000:04:00.0"
              },
              {
                "kind": "v100",
                "pci": "0000:05:00.0"
              }
            ],
            "numa": [
              1
            ],
            "verified_at": 1795420800
          }
        }
      ],
      "has_more": true,
      "cursor": "instc_hFpFWcsLe5XNtQLcYoPpySk9"
    }
  },
  "get_instance": {
    "params": {
      "id": "inst_tK0Q-lubQ2fqyAd_osIPJ"
    },
    "response": {
      "object": "instance",
      "id": "inst_tK0Q-lubQ2fqyAd_osIPJ",
      "resource_path": "svc:instance:acme:default:notebook",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "notebook",
      "state": "running",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_FlOSp3HYmqfTSgok_jXyI",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "pool": {
        "object": "pool",
        "id": "pool_jrAwadEhnh9RrgelRRo0E",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795421640,
      "_preview_updated_at": 1795421640,
      "cloud_init_user_data_used": true,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": null,
      "priority_level": "normal",
      "hardware": {
        "host": "c95318a8df6a5380",
        "accelerators": [
          {
            "kind": "h100",
            "pci": "0000:00:00.0"
          },
          {
            "kind": "h100",
            "pci": "0000:01:00.0"
          }
        ],
        "numa": [
          0
        ],
        "rdma": [
          "0001:00:00.0"
        ],
        "verified_at": 1795420800
      }
    }
  },
  "get_instance_cloud_init": {
    "params": {
      "id": "inst_tK0Q-lubQ2fqyAd_osIPJ"
    },
    "response": {
      "object": "cloud_init_user_data",
      "cloud_init_user_data": "IyEvYmluL3NoCmVjaG8gIkhlbGxvIGZyb20gQm91cnNlLiIgPiAvZXRjL21vdGQK"
    }
  },
  "get_instance_ssh": {
    "params": {
      "id": "inst_tK0Q-lubQ2fqyAd_osIPJ"
    },
    "response": {
      "object": "instance_ssh",
      "hostname": "simulated.invalid",
      "port": 29408,
      "host_keys": [
        {
          "key_type": "ssh-ed25519",
          "key": "AAAAC3NzaC1lZDI1NTE5AAAAILO/ElRJj1fZgfUcOlmIbz5W3lHiqGkw6poMdWD8XCYQ"
        }
      ],
      "keys_read_at": 1795421643
    }
  },
  "get_instance_attestation": {
    "params": {
      "id": "inst_tK0Q-lubQ2fqyAd_osIPJ"
    },
    "response": {
      "object": "instance_attestation",
      "instance": "inst_tK0Q-lubQ2fqyAd_osIPJ",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "host": "c95318a8df6a5380",
      "simulated": true,
      "attested_at": 1795424400,
      "expires_at": 1795431600,
      "hardware": {
        "num_vcpus": 192,
        "memory_bytes": 2199023255552,
        "storage_bytes": 16492674416640,
        "accelerators": [
          {
            "kind": "h100",
            "name": "NVIDIA H100",
            "form_factor": "sxm",
            "memory_bytes": null,
            "pci_id": "0000:0000",
            "pci": "0000:00:00.0",
            "numa_node": 0
          },
          {
            "kind": "h100",
            "name": "NVIDIA H100",
            "form_factor": "sxm",
            "memory_bytes": null,
            "pci_id": "0000:0000",
            "pci": "0000:01:00.0",
            "numa_node": 0
          }
        ],
        "rdma": [
          {
            "pci": "0001:00:00.0",
            "link_layer": "infiniband",
            "gigabits_per_second": 400,
            "numa_node": 0
          }
        ],
        "processors": {
          "model": "Simulated processor",
          "sockets": 2,
          "cores": 384,
          "threads": 768,
          "features": []
        },
        "numa_nodes": 2,
        "is_iommu_on": true,
        "is_secure_boot_on": false,
        "is_kvm_usable": null,
        "kernel": "simulated",
        "qemu": null
      },
      "jws": "eyJhbGciOiJFZERTQSJ9.xwNML5fP4i54N9A0fYljNI2z.signature"
    }
  },
  "list_instance_logs": {
    "params": {
      "id": "inst_tK0Q-lubQ2fqyAd_osIPJ"
    },
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "seqnum": 1,
          "logged_at": 1795421643,
          "data": "WyAgICAwLjAwMDAwMF0gQm9vdGluZyBhIHNpbXVsYXRlZCBtYWNoaW5lOiBub3RoaW5nIGhlcmUgcnVucyBmb3IgcmVhbApbICAgIDAuNDEyMDAwXSBzbWJpb3M6IHV1aWQgMTVjY2I3YTEzNWRhOWM5NmI3Mzc2ZjYzZjJhOWRkMTAKWyAgICAyLjg3MTAwMF0gY2xvdWQtaW5pdDogdXNlciBkYXRhIGFuZCBrZXlzIGFyZSBpbiBwbGFjZQpbICAgIDMuMTA1MDAwXSBzc2hkOiBsaXN0ZW5pbmcgb24gcG9ydCAyMgppbnN0X3RLMFEtbHViUTJmcXlBZF9vc0lQSiBsb2dpbjog"
        }
      ],
      "has_more": false
    }
  },
  "explain_instance": {
    "params": {
      "id": "inst_alg5uKIwxtpyn4Ir5RomU"
    },
    "response": {
      "object": "instance_explanation",
      "instance": "inst_alg5uKIwxtpyn4Ir5RomU",
      "state": "awaiting_allocation",
      "as_of": 1795424460,
      "summary": "The allocation of the pool is used by instances that run or rank higher.",
      "waiting": {
        "reasons": [
          {
            "code": "outranked",
            "message": "The allocation of the pool is used by instances that run or rank higher."
          }
        ],
        "next_allocation_at": null,
        "rank": 1,
        "pool_allocation_now": 6,
        "pool_instances_now": 6
      },
      "boot": null,
      "termination": null,
      "connection_lost_at": null,
      "replaces": null,
      "replaced_by": null
    }
  },
  "create_instance": {
    "body": {
      "pool": "svc:pool:acme:default:training",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "name": "evaluation",
      "image": "svc:image:acme:default:trainer-2",
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "instance",
      "id": "inst_adWbjUlXqj_GPR7MawuHm",
      "resource_path": "svc:instance:acme:default:evaluation",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation",
      "state": "awaiting_allocation",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_FlOSp3HYmqfTSgok_jXyI",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "pool": {
        "object": "pool",
        "id": "pool_jrAwadEhnh9RrgelRRo0E",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "team": "training"
      },
      "priority_level": "normal"
    }
  },
  "update_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation"
    },
    "body": {
      "tags": {
        "team": "training",
        "run": "42"
      },
      "priority_level": "preferred"
    },
    "response": {
      "object": "instance",
      "id": "inst_adWbjUlXqj_GPR7MawuHm",
      "resource_path": "svc:instance:acme:default:evaluation",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation",
      "state": "awaiting_allocation",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_FlOSp3HYmqfTSgok_jXyI",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "pool": {
        "object": "pool",
        "id": "pool_jrAwadEhnh9RrgelRRo0E",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "team": "training",
        "run": "42"
      },
      "priority_level": "preferred"
    }
  },
  "update_instance_priorities": {
    "body": {
      "data": [
        {
          "id": "svc:instance:acme:default:evaluation",
          "priority_level": "critical"
        },
        {
          "id": "inst_tK0Q-lubQ2fqyAd_osIPJ",
          "priority_level": null
        }
      ]
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance",
          "id": "inst_adWbjUlXqj_GPR7MawuHm",
          "resource_path": "svc:instance:acme:default:evaluation",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "evaluation",
          "state": "awaiting_allocation",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "image": {
            "object": "image",
            "id": "image_FlOSp3HYmqfTSgok_jXyI",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_jrAwadEhnh9RrgelRRo0E",
            "name": "training",
            "resource_path": "svc:pool:acme:default:training"
          },
          "created_at": 1795424460,
          "_preview_updated_at": 1795424460,
          "cloud_init_user_data_used": false,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": {
            "run": "42",
            "team": "training"
          },
          "priority_level": "critical"
        },
        {
          "object": "instance",
          "id": "inst_tK0Q-lubQ2fqyAd_osIPJ",
          "resource_path": "svc:instance:acme:default:notebook",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "notebook",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "image": {
            "object": "image",
            "id": "image_FlOSp3HYmqfTSgok_jXyI",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_jrAwadEhnh9RrgelRRo0E",
            "name": "training",
            "resource_path": "svc:pool:acme:default:training"
          },
          "created_at": 1795421640,
          "_preview_updated_at": 1795424460,
          "cloud_init_user_data_used": true,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "c95318a8df6a5380",
            "accelerators": [
              {
                "kind": "h100",
                "pci": "0000:00:00.0"
              },
              {
                "kind": "h100",
                "pci": "0000:01:00.0"
              }
            ],
            "numa": [
              0
            ],
            "rdma": [
              "0001:00:00.0"
            ],
            "verified_at": 1795420800
          }
        }
      ],
      "has_more": false
    }
  },
  "replace_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation"
    },
    "body": {
      "image": "svc:image:bourse:public:ubuntu-24.04",
      "name": "evaluation-2"
    },
    "response": {
      "object": "instance",
      "id": "inst__wFd4sitrO9UcmRcfnAZX",
      "resource_path": "svc:instance:acme:default:evaluation-2",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation-2",
      "state": "awaiting_allocation",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_BCDF8gb7jG1TROVjL_7Cy",
        "name": "ubuntu-24.04",
        "resource_path": "svc:image:bourse:public:ubuntu-24.04"
      },
      "pool": {
        "object": "pool",
        "id": "pool_jrAwadEhnh9RrgelRRo0E",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "run": "42",
        "team": "training"
      },
      "priority_level": "critical"
    }
  },
  "terminate_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation-2"
    },
    "response": {
      "object": "instance",
      "id": "inst__wFd4sitrO9UcmRcfnAZX",
      "resource_path": "svc:instance:acme:default:evaluation-2",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation-2",
      "state": "terminated",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_BCDF8gb7jG1TROVjL_7Cy",
        "name": "ubuntu-24.04",
        "resource_path": "svc:image:bourse:public:ubuntu-24.04"
      },
      "pool": {
        "object": "pool",
        "id": "pool_jrAwadEhnh9RrgelRRo0E",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "run": "42",
        "team": "training"
      },
      "priority_level": "critical"
    }
  },
  "delete_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation-2"
    }
  },
  "create_deployment_estimate": {
    "body": {
      "kind": "spot",
      "name": "crunch",
      "pool": "svc:pool:acme:default:training-extra",
      "instance_template": "svc:instance_template:acme:default:trainer",
      "target_instance_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.00",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_atMbsgsL6gdNEaa8MCl4c",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "enabled": true,
      "start_at": 1795424520,
      "end_at": 1795428120,
      "target_node_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 1,
        "node_minutes": 116,
        "traded_node_minutes": 116,
        "offers": [
          {
            "price_dollars_per_node_hour": "14.681272",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424520,
                "end_at": 1795428000,
                "node_count": 2
              }
            ],
            "node_minutes": 116,
            "total_dollars": "28.383792"
          }
        ],
        "offer_count": 1,
        "total_dollars": "28.383792",
        "average_price_dollars_per_node_hour": "14.681272",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "38.666667"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "40.000000",
      "worst_case_dollars_per_day": "960.000000",
      "worst_case_dollars_of_window": "40.000000",
      "available_dollars": "263434.693992",
      "available_after_dollars": "263406.310200",
      "refusal": null,
      "reason": null,
      "as_of": 1795424460
    }
  },
  "create_deployment": {
    "body": {
      "kind": "spot",
      "name": "crunch",
      "pool": "svc:pool:acme:default:training-extra",
      "instance_template": "svc:instance_template:acme:default:trainer",
      "target_instance_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.00",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "spot_deployment",
      "id": "depl_drA8aKN3pWORrk0oy8g9i",
      "resource_path": "svc:deployment:acme:default:crunch",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "crunch",
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "instance_template": {
        "object": "instance_template",
        "id": "itmpl_-koIqkGst0stwoVJJzq4j",
        "name": "trainer",
        "resource_path": "svc:instance_template:acme:default:trainer"
      },
      "enabled": true,
      "target_instance_count": 2,
      "live_instance_count": 0,
      "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "status": {
        "state": "info",
        "code": "waiting_for_allocation",
        "message": "2 of 2 instances wait for allocation."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_deployments": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "spot_deployment",
          "id": "depl_drA8aKN3pWORrk0oy8g9i",
          "resource_path": "svc:deployment:acme:default:crunch",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "crunch",
          "pool": {
            "object": "pool",
            "id": "pool_atMbsgsL6gdNEaa8MCl4c",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "instance_template": {
            "object": "instance_template",
            "id": "itmpl_-koIqkGst0stwoVJJzq4j",
            "name": "trainer",
            "resource_path": "svc:instance_template:acme:default:trainer"
          },
          "enabled": true,
          "target_instance_count": 2,
          "live_instance_count": 2,
          "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
          "max_buy_price_dollars_per_node_hour": "20.000000",
          "status": {
            "state": "info",
            "code": "waiting_for_allocation",
            "message": "2 of 2 instances wait for allocation."
          },
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "deployment",
          "id": "depl_kiCmjfctUfY8o5vuKxqCx",
          "resource_path": "svc:deployment:acme:default:spare",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "spare",
          "pool": {
            "object": "pool",
            "id": "pool_xT-wBO_6EDXpfuXphTNCd",
            "name": "batch",
            "resource_path": "svc:pool:acme:default:batch"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "instance_template": {
            "object": "instance_template",
            "id": "itmpl_fO6C7uO2Wb75ktGl51hj7",
            "name": "web",
            "resource_path": "svc:instance_template:acme:default:web"
          },
          "enabled": true,
          "target_instance_count": 1,
          "live_instance_count": 1,
          "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
          "status": {
            "state": "info",
            "code": "ok",
            "message": "1 of 1 instances have a machine."
          },
          "created_at": 1795421220,
          "updated_at": 1795421220
        }
      ],
      "has_more": true,
      "cursor": "deplc_0-3IniIKQ3nGYWO603Z-xGqK"
    }
  },
  "get_deployment": {
    "params": {
      "id": "depl_Ftu45y6Ub2Lue6-O6_Kir"
    },
    "response": {
      "object": "deployment",
      "id": "depl_Ftu45y6Ub2Lue6-O6_Kir",
      "resource_path": "svc:deployment:acme:default:trainers",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainers",
      "pool": {
        "object": "pool",
        "id": "pool_jrAwadEhnh9RrgelRRo0E",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "instance_template": {
        "object": "instance_template",
        "id": "itmpl_-koIqkGst0stwoVJJzq4j",
        "name": "trainer",
        "resource_path": "svc:instance_template:acme:default:trainer"
      },
      "enabled": true,
      "target_instance_count": 4,
      "live_instance_count": 4,
      "instance_name_template": "trainer-{{adjective}}-{{noun}}",
      "status": {
        "state": "info",
        "code": "ok",
        "message": "4 of 4 instances have a machine."
      },
      "created_at": 1795420920,
      "updated_at": 1795420920
    }
  },
  "create_deployment_update_estimate": {
    "params": {
      "id": "svc:deployment:acme:default:crunch"
    },
    "body": {
      "target_instance_count": 4
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_atMbsgsL6gdNEaa8MCl4c",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "enabled": true,
      "start_at": 1795424520,
      "end_at": 1795428120,
      "target_node_count": 4,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 1,
        "node_minutes": 116,
        "traded_node_minutes": 116,
        "offers": [
          {
            "price_dollars_per_node_hour": "14.807803",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424520,
                "end_at": 1795428000,
                "node_count": 2
              }
            ],
            "node_minutes": 116,
            "total_dollars": "28.628419"
          }
        ],
        "offer_count": 1,
        "total_dollars": "28.628419",
        "average_price_dollars_per_node_hour": "14.807803",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "38.666667"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "80.000000",
      "worst_case_dollars_per_day": "1920.000000",
      "worst_case_dollars_of_window": "80.000000",
      "available_dollars": "263406.310200",
      "available_after_dollars": "263377.681781",
      "refusal": null,
      "reason": null,
      "as_of": 1795424460
    }
  },
  "update_deployment": {
    "params": {
      "id": "svc:deployment:acme:default:crunch"
    },
    "body": {
      "target_instance_count": 1,
      "max_buy_price_dollars_per_node_hour": "18.00"
    },
    "response": {
      "object": "spot_deployment",
      "id": "depl_drA8aKN3pWORrk0oy8g9i",
      "resource_path": "svc:deployment:acme:default:crunch",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "crunch",
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "instance_template": {
        "object": "instance_template",
        "id": "itmpl_-koIqkGst0stwoVJJzq4j",
        "name": "trainer",
        "resource_path": "svc:instance_template:acme:default:trainer"
      },
      "enabled": true,
      "target_instance_count": 1,
      "live_instance_count": 2,
      "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
      "max_buy_price_dollars_per_node_hour": "18.000000",
      "status": {
        "state": "info",
        "code": "waiting_for_allocation",
        "message": "1 of 1 instances wait for allocation."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_deployment": {
    "params": {
      "id": "svc:deployment:acme:default:crunch"
    }
  },
  "create_procurement_estimate": {
    "body": {
      "name": "keep-two",
      "pool": "svc:pool:acme:default:training-extra",
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.00",
      "max_buy_price_dollars_per_node_hour": "20.00",
      "managed_window_minutes": 180,
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_atMbsgsL6gdNEaa8MCl4c",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "enabled": true,
      "start_at": 1795424520,
      "end_at": 1795435320,
      "target_node_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "40.000000",
      "worst_case_dollars_per_day": "960.000000",
      "worst_case_dollars_of_window": "120.000000",
      "available_dollars": "263406.310200",
      "available_after_dollars": "263406.310200",
      "refusal": null,
      "reason": {
        "code": "nothing_missing",
        "message": "The pool has, or has ordered, what it keeps."
      },
      "as_of": 1795424460
    }
  },
  "create_procurement": {
    "body": {
      "name": "keep-two",
      "pool": "svc:pool:acme:default:training-extra",
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.00",
      "max_buy_price_dollars_per_node_hour": "20.00",
      "managed_window_minutes": 180,
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "procurement",
      "id": "proc_rRf9mPLk5J8WvANYEgnPu",
      "resource_path": "svc:procurement:acme:default:keep-two",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "keep-two",
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.000000",
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "managed_window_minutes": 180,
      "enabled": true,
      "status": {
        "state": "info",
        "code": "ok",
        "message": "The pool is being checked."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_procurements": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "procurement",
          "id": "proc_rRf9mPLk5J8WvANYEgnPu",
          "resource_path": "svc:procurement:acme:default:keep-two",
          "workspace": {
            "object": "workspace",
            "id": "wksp_ha51Jpm6liA73tlZlMYlT",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "keep-two",
          "pool": {
            "object": "pool",
            "id": "pool_atMbsgsL6gdNEaa8MCl4c",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "target": 2,
          "min_sell_price_dollars_per_node_hour": "12.000000",
          "max_buy_price_dollars_per_node_hour": "20.000000",
          "managed_window_minutes": 180,
          "enabled": true,
          "status": {
            "state": "warning",
            "code": "prices_crossed",
            "message": "The minimum sell price is below the maximum buy price: buying and selling again can lose money."
          },
          "created_at": 1795424460,
          "updated_at": 1795424460
        }
      ],
      "has_more": false,
      "cursor": "procc_nTIq8hyXt8ZYVrAvstPeIWqF"
    }
  },
  "get_procurement": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    },
    "response": {
      "object": "procurement",
      "id": "proc_rRf9mPLk5J8WvANYEgnPu",
      "resource_path": "svc:procurement:acme:default:keep-two",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "keep-two",
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.000000",
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "managed_window_minutes": 180,
      "enabled": true,
      "status": {
        "state": "warning",
        "code": "prices_crossed",
        "message": "The minimum sell price is below the maximum buy price: buying and selling again can lose money."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_holds": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "hold",
          "id": "hold_YZVumovVvcg2a2ZeoQI_G",
          "order": "ordr_LdY6q7URYz7wFb1xIlvec",
          "workspace": "wksp_ha51Jpm6liA73tlZlMYlT",
          "amount_dollars": "6.600000",
          "created_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "holdc_TiQcY9j1MBX2Xe670_CV7Gk6"
    }
  },
  "create_procurement_update_estimate": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    },
    "body": {
      "target": 4
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_atMbsgsL6gdNEaa8MCl4c",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "enabled": true,
      "start_at": 1795424580,
      "end_at": 1795435380,
      "target_node_count": 4,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 1,
        "node_minutes": 114,
        "traded_node_minutes": 114,
        "offers": [
          {
            "price_dollars_per_node_hour": "14.686041",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424580,
                "end_at": 1795428000,
                "node_count": 2
              }
            ],
            "node_minutes": 114,
            "total_dollars": "27.903477"
          }
        ],
        "offer_count": 1,
        "total_dollars": "27.903477",
        "average_price_dollars_per_node_hour": "14.686041",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "38.000000"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "80.000000",
      "worst_case_dollars_per_day": "1920.000000",
      "worst_case_dollars_of_window": "240.000000",
      "available_dollars": "263406.310200",
      "available_after_dollars": "263378.406723",
      "refusal": null,
      "reason": null,
      "as_of": 1795424520
    }
  },
  "update_procurement": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    },
    "body": {
      "target": 3,
      "max_buy_price_dollars_per_node_hour": "18.50"
    },
    "response": {
      "object": "procurement",
      "id": "proc_rRf9mPLk5J8WvANYEgnPu",
      "resource_path": "svc:procurement:acme:default:keep-two",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "keep-two",
      "pool": {
        "object": "pool",
        "id": "pool_atMbsgsL6gdNEaa8MCl4c",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "target": 3,
      "min_sell_price_dollars_per_node_hour": "12.000000",
      "max_buy_price_dollars_per_node_hour": "18.500000",
      "managed_window_minutes": 180,
      "enabled": true,
      "status": {
        "state": "info",
        "code": "ok",
        "message": "The pool is being checked."
      },
      "created_at": 1795424460,
      "updated_at": 1795424520
    }
  },
  "delete_procurement": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    }
  },
  "create_simulated_hosts": {
    "body": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "count": 2,
      "slots": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "host",
          "id": "host_ZK7GTj0kazmY2hRRdnb9b",
          "resource_path": "svc:host:bourse:public:nimble-falcon-KXY8xb",
          "account": "bourse",
          "workspace": {
            "object": "workspace",
            "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "pool": {
            "object": "pool",
            "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
            "name": "supply",
            "resource_path": "svc:pool:bourse:public:supply"
          },
          "name": "nimble-falcon-KXY8xb",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "agent_commit": null,
          "agent_managed_by": "none",
          "agent_pinned": false,
          "facts": {
            "hostname": "simulated-11",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "h100",
              "h100"
            ],
            "network": "full",
            "host_address": "10.128.0.11",
            "public_ipv4s": [
              "198.18.0.55",
              "198.18.0.56"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "h100",
                  "name": "NVIDIA H100",
                  "form_factor": "sxm",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "infiniband",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null,
                  "functions": [
                    "0001:00:00.0",
                    "0001:00:00.1"
                  ]
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424520,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795424520,
          "retired_at": null
        },
        {
          "object": "host",
          "id": "host_HPd9JtxWQjj0l_hZfTSzs",
          "resource_path": "svc:host:bourse:public:dapper-thicket-kl4KuO",
          "account": "bourse",
          "workspace": {
            "object": "workspace",
            "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "pool": {
            "object": "pool",
            "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
            "name": "supply",
            "resource_path": "svc:pool:bourse:public:supply"
          },
          "name": "dapper-thicket-kl4KuO",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "agent_commit": null,
          "agent_managed_by": "none",
          "agent_pinned": false,
          "facts": {
            "hostname": "simulated-12",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "h100",
              "h100"
            ],
            "network": "full",
            "host_address": "10.128.0.12",
            "public_ipv4s": [
              "198.18.0.57",
              "198.18.0.58"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "h100",
                  "name": "NVIDIA H100",
                  "form_factor": "sxm",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "infiniband",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null,
                  "functions": [
                    "0001:00:00.0",
                    "0001:00:00.1"
                  ]
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424520,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795424520,
          "retired_at": null
        }
      ],
      "has_more": false
    }
  },
  "get_host": {
    "params": {
      "id": "host_ZK7GTj0kazmY2hRRdnb9b"
    },
    "response": {
      "object": "host",
      "id": "host_ZK7GTj0kazmY2hRRdnb9b",
      "resource_path": "svc:host:bourse:public:nimble-falcon-KXY8xb",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "nimble-falcon-KXY8xb",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "create_read_only_pool": {
    "body": {
      "account": "acme",
      "workspace": "svc:workspace:acme:default",
      "name": "granted",
      "from_pool": "pool_zcLt4AlG2WK2j_ZZwjvv5",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "allocation_schedule": [
        {
          "start_at": 1795510800,
          "end_at": 1795597200,
          "node_count": 1
        }
      ]
    },
    "response": {
      "object": "pool",
      "id": "pool_cGvhnF4HvNKhmsV8nxAG3",
      "resource_path": "svc:pool:acme:default:granted",
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "granted",
      "kind": "read_only",
      "allocation_schedule": {
        "total": [
          {
            "start_at": 1795510800,
            "end_at": 1795597200,
            "node_count": 1
          }
        ],
        "by_sku": {
          "sku__-sUVUX3Yw-WuExZbtH4m": [
            {
              "start_at": 1795510800,
              "end_at": 1795597200,
              "node_count": 1
            }
          ]
        }
      },
      "procurements": [],
      "deployments": [],
      "tags": null,
      "created_at": 1795424580
    }
  },
  "update_host": {
    "params": {
      "id": "host_ZK7GTj0kazmY2hRRdnb9b"
    },
    "body": {
      "name": "rack-12-node-3"
    },
    "response": {
      "object": "host",
      "id": "host_ZK7GTj0kazmY2hRRdnb9b",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "cordon_host": {
    "params": {
      "id": "host_ZK7GTj0kazmY2hRRdnb9b"
    },
    "response": {
      "object": "host",
      "id": "host_ZK7GTj0kazmY2hRRdnb9b",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "cordoned",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "uncordon_host": {
    "params": {
      "id": "host_ZK7GTj0kazmY2hRRdnb9b"
    },
    "response": {
      "object": "host",
      "id": "host_ZK7GTj0kazmY2hRRdnb9b",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "drain_host": {
    "params": {
      "id": "host_ZK7GTj0kazmY2hRRdnb9b"
    },
    "body": {
      "deadline_at": 1795424580
    },
    "response": {
      "object": "host",
      "id": "host_ZK7GTj0kazmY2hRRdnb9b",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "draining",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": 1795424580,
      "supply_ends_at": 1795424580,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "advance_clock": {
    "body": {
      "seconds": 600
    },
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424400,
      "offset_seconds": 840,
      "frozen": false,
      "rate": 1,
      "next_due_at": 1795425360,
      "settled": true
    }
  },
  "retire_host": {
    "params": {
      "id": "host_ZK7GTj0kazmY2hRRdnb9b"
    },
    "response": {
      "object": "host",
      "id": "host_ZK7GTj0kazmY2hRRdnb9b",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zcLt4AlG2WK2j_ZZwjvv5",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "retired",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "agent_commit": null,
      "agent_managed_by": "none",
      "agent_pinned": false,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795425240,
      "drain_deadline_at": 1795424580,
      "supply_ends_at": 1795424580,
      "created_at": 1795424520,
      "retired_at": 1795425240
    }
  },
  "create_sku": {
    "body": {
      "alias": "b200-oregon",
      "region": "us-west",
      "availability_zone": "us-west-1a",
      "accelerator": "b200",
      "num_accelerators": 8,
      "num_vcpus": 224
    },
    "response": {
      "object": "sku",
      "id": "sku_UMJJa6hubInE4wz024LPN",
      "alias": "b200-oregon",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "b200",
        "display_value": "NVIDIA B200"
      },
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 224,
        "display_value": "224"
      },
      "price_step_dollars_per_node_hour": "0.000001",
      "benchmark_figures": [],
      "listed": true,
      "flat_fee_dollars_per_node_hour": "0.000000",
      "fee_bps": 0,
      "public_prices_exclude_related": false,
      "created_at": 1795425240,
      "updated_at": 1795425240
    }
  },
  "update_sku": {
    "params": {
      "id": "sku_UMJJa6hubInE4wz024LPN"
    },
    "body": {
      "fee_bps": 150
    },
    "response": {
      "object": "sku",
      "id": "sku_UMJJa6hubInE4wz024LPN",
      "alias": "b200-oregon",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "b200",
        "display_value": "NVIDIA B200"
      },
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 224,
        "display_value": "224"
      },
      "price_step_dollars_per_node_hour": "0.000001",
      "benchmark_figures": [],
      "listed": true,
      "flat_fee_dollars_per_node_hour": "0.000000",
      "fee_bps": 150,
      "public_prices_exclude_related": false,
      "created_at": 1795425240,
      "updated_at": 1795425240
    }
  },
  "retire_sku": {
    "params": {
      "id": "sku_UMJJa6hubInE4wz024LPN"
    }
  },
  "restore_sku": {
    "params": {
      "id": "sku_UMJJa6hubInE4wz024LPN"
    },
    "response": {
      "object": "sku",
      "id": "sku_UMJJa6hubInE4wz024LPN",
      "alias": "b200-oregon",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "b200",
        "display_value": "NVIDIA B200"
      },
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 224,
        "display_value": "224"
      },
      "price_step_dollars_per_node_hour": "0.000001",
      "benchmark_figures": [],
      "listed": true,
      "flat_fee_dollars_per_node_hour": "0.000000",
      "fee_bps": 150,
      "public_prices_exclude_related": false,
      "created_at": 1795425240,
      "updated_at": 1795425240
    }
  },
  "put_sku_property_value": {
    "params": {
      "property": "region",
      "name": "us-east"
    },
    "body": {
      "display_name": "US East"
    },
    "response": {
      "object": "sku_property",
      "name": "us-east",
      "display_name": "US East",
      "description": "",
      "documentation_link": null,
      "deprecated_at": null,
      "deprecation_info": null
    }
  },
  "put_sku_override": {
    "params": {
      "account": "acme",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "body": {
      "num_vcpus": 176
    },
    "response": {
      "object": "sku_override",
      "account": "acme",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "properties": {
        "num_vcpus": {
          "value": 176,
          "display_value": "176"
        }
      },
      "updated_at": 1795425240
    }
  },
  "list_sku_overrides": {
    "params": {
      "account": "acme"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku_override",
          "account": "acme",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "properties": {
            "num_vcpus": {
              "value": 176,
              "display_value": "176"
            }
          },
          "updated_at": 1795425240
        },
        {
          "object": "sku_override",
          "account": "acme",
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "properties": {
            "local_storage_bytes": {
              "value": 8246337208320,
              "display_value": "7680 GiB"
            }
          },
          "updated_at": 1795381200
        }
      ],
      "has_more": false
    }
  },
  "delete_sku_override": {
    "params": {
      "account": "acme",
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    }
  },
  "halt_market": {
    "body": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
      "message": "The fabric is being replaced."
    },
    "response": {
      "object": "market_halt",
      "halted": "some",
      "skus": [
        "sku__-sUVUX3Yw-WuExZbtH4m"
      ],
      "message": "The fabric is being replaced.",
      "halts": [
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "message": "The fabric is being replaced.",
          "halted_at": 1795425240,
          "halted_by": {
            "type": "token",
            "id": "tokn_b0Y1L9k431p3fZkKXTiyg",
            "name": "admin"
          }
        }
      ]
    }
  },
  "get_market_halt": {
    "response": {
      "object": "market_halt",
      "halted": "some",
      "skus": [
        "sku__-sUVUX3Yw-WuExZbtH4m"
      ],
      "message": "The fabric is being replaced.",
      "halts": [
        {
          "sku": "sku__-sUVUX3Yw-WuExZbtH4m",
          "message": "The fabric is being replaced.",
          "halted_at": 1795425240,
          "halted_by": {
            "type": "token",
            "id": "tokn_b0Y1L9k431p3fZkKXTiyg",
            "name": "admin"
          }
        }
      ]
    }
  },
  "resume_market": {
    "body": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "response": {
      "object": "market_halt",
      "halted": "none",
      "skus": [],
      "message": null,
      "halts": []
    }
  },
  "create_maintenance_window": {
    "body": {
      "start_at": 1795597200,
      "end_at": 1795604400,
      "maintenance_type": "degraded_performance",
      "title": "New switches in us-west-1a",
      "description": "The network is slower while switches are replaced, one after the other.",
      "sku": [
        "sku__-sUVUX3Yw-WuExZbtH4m"
      ]
    },
    "response": {
      "object": "maintenance_window",
      "id": "mwin_TU-mOlZdGL63zHbhbSlCM",
      "start_at": 1795597200,
      "end_at": 1795604400,
      "maintenance_type": "degraded_performance",
      "title": "New switches in us-west-1a",
      "description": "The network is slower while switches are replaced, one after the other.",
      "action_message": null,
      "sku": [
        "sku__-sUVUX3Yw-WuExZbtH4m"
      ],
      "created_at": 1795425240
    }
  },
  "list_maintenance_windows": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "maintenance_window",
          "id": "mwin_TU-mOlZdGL63zHbhbSlCM",
          "start_at": 1795597200,
          "end_at": 1795604400,
          "maintenance_type": "degraded_performance",
          "title": "New switches in us-west-1a",
          "description": "The network is slower while switches are replaced, one after the other.",
          "action_message": null,
          "sku": [
            "sku__-sUVUX3Yw-WuExZbtH4m"
          ],
          "created_at": 1795425240
        }
      ],
      "has_more": false,
      "cursor": "mwinc_8DOO7MFPgEu15FcItcqBgLRq"
    }
  },
  "delete_maintenance_window": {
    "params": {
      "id": "mwin_TU-mOlZdGL63zHbhbSlCM"
    }
  },
  "create_ready_image": {
    "body": {
      "name": "rocky-10"
    },
    "response": {
      "object": "image",
      "id": "image_T5f6qz3wn-s5t5rYA_3iK",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "0feb42b4de5aa198bac67f12ef650a55da214ab56e9dadeda89a6b357f784b35",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "publish_public_image": {
    "params": {
      "id": "image_T5f6qz3wn-s5t5rYA_3iK"
    },
    "response": {
      "object": "image",
      "id": "image_T5f6qz3wn-s5t5rYA_3iK",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "completed",
      "failure_reason": null,
      "sha256": "0feb42b4de5aa198bac67f12ef650a55da214ab56e9dadeda89a6b357f784b35",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "revoke_public_image": {
    "params": {
      "id": "image_T5f6qz3wn-s5t5rYA_3iK"
    },
    "response": {
      "object": "image",
      "id": "image_T5f6qz3wn-s5t5rYA_3iK",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "revoked",
      "failure_reason": null,
      "sha256": "0feb42b4de5aa198bac67f12ef650a55da214ab56e9dadeda89a6b357f784b35",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": 1795425240,
      "created_at": 1795425240
    }
  },
  "reinstate_public_image": {
    "params": {
      "id": "image_T5f6qz3wn-s5t5rYA_3iK"
    },
    "response": {
      "object": "image",
      "id": "image_T5f6qz3wn-s5t5rYA_3iK",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "completed",
      "failure_reason": null,
      "sha256": "0feb42b4de5aa198bac67f12ef650a55da214ab56e9dadeda89a6b357f784b35",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "deprecate_public_image": {
    "params": {
      "id": "image_T5f6qz3wn-s5t5rYA_3iK"
    },
    "body": {
      "message": "Use rocky-11."
    },
    "response": {
      "object": "image",
      "id": "image_T5f6qz3wn-s5t5rYA_3iK",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "completed",
      "failure_reason": null,
      "sha256": "0feb42b4de5aa198bac67f12ef650a55da214ab56e9dadeda89a6b357f784b35",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": 1795425240,
      "deprecation_message": "Use rocky-11.",
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "get_clock": {
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424400,
      "offset_seconds": 840,
      "frozen": false,
      "rate": 1,
      "next_due_at": 1795425360
    }
  },
  "freeze_clock": {
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424400,
      "offset_seconds": 840,
      "frozen": true,
      "rate": 1,
      "next_due_at": 1795425360
    }
  },
  "settle": {
    "body": {
      "timeout_seconds": 5
    },
    "response": {
      "object": "settlement",
      "settled": true
    }
  },
  "list_market_makers": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "market_maker",
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "enabled": true,
          "node_count": 16,
          "base_price_dollars_per_node_hour": "17.000000",
          "fair_price_dollars_per_node_hour": "18.204411",
          "weather": true,
          "forecast": {
            "utc_offset_minutes": -480,
            "scarce_start_at": 1795680000,
            "scarce_end_at": 1795766400,
            "supplier_fails_at": 1795536000,
            "supplier_arrives_at": 1795626000
          },
          "created_at": 1795381200
        },
        {
          "object": "market_maker",
          "sku": {
            "object": "sku",
            "id": "sku_Gk91f6-6mh5JsU-jbV_aS",
            "alias": "a100-north"
          },
          "enabled": true,
          "node_count": 16,
          "base_price_dollars_per_node_hour": "9.000000",
          "fair_price_dollars_per_node_hour": "18.204411",
          "weather": true,
          "forecast": {
            "utc_offset_minutes": 60,
            "scarce_start_at": 1795647600,
            "scarce_end_at": 1795734000,
            "supplier_fails_at": 1795536000,
            "supplier_arrives_at": 1795626000
          },
          "created_at": 1795381200
        }
      ],
      "has_more": false
    }
  },
  "update_market_maker": {
    "params": {
      "sku": "sku__-sUVUX3Yw-WuExZbtH4m"
    },
    "body": {
      "base_price_dollars_per_node_hour": "18.00"
    },
    "response": {
      "object": "market_maker",
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "enabled": true,
      "node_count": 16,
      "base_price_dollars_per_node_hour": "18.000000",
      "fair_price_dollars_per_node_hour": "18.204411",
      "weather": true,
      "forecast": {
        "utc_offset_minutes": -480,
        "scarce_start_at": 1795680000,
        "scarce_end_at": 1795766400,
        "supplier_fails_at": 1795536000,
        "supplier_arrives_at": 1795626000
      },
      "created_at": 1795381200
    }
  },
  "create_market_maker": {
    "body": {
      "sku": "sku_UMJJa6hubInE4wz024LPN",
      "base_price_dollars_per_node_hour": "18.00",
      "node_count": 4
    },
    "response": {
      "object": "market_maker",
      "sku": {
        "object": "sku",
        "id": "sku_UMJJa6hubInE4wz024LPN",
        "alias": "b200-oregon"
      },
      "enabled": true,
      "node_count": 4,
      "base_price_dollars_per_node_hour": "18.000000",
      "fair_price_dollars_per_node_hour": "18.204411",
      "weather": true,
      "forecast": {
        "utc_offset_minutes": -480,
        "scarce_start_at": 1795680000,
        "scarce_end_at": 1795766400,
        "supplier_fails_at": 1795536000,
        "supplier_arrives_at": 1795626000
      },
      "created_at": 1795425240
    }
  },
  "create_fault": {
    "body": {
      "kind": "http_error",
      "status": 503,
      "times": 3
    },
    "response": {
      "object": "fault",
      "id": "flt_rcdyONCCYPvjLmJfEpdJX",
      "kind": "http_error",
      "status": 503,
      "times": 3,
      "hits": 0,
      "active": true,
      "created_at": 1795425240
    }
  },
  "list_faults": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "fault",
          "id": "flt_rcdyONCCYPvjLmJfEpdJX",
          "kind": "http_error",
          "status": 503,
          "times": 3,
          "hits": 0,
          "active": true,
          "created_at": 1795425240
        },
        {
          "object": "fault",
          "id": "flt_IAsNb7_GvcNWPP4wPwkVf",
          "kind": "instance_unhealthy",
          "times": 1,
          "instance": "inst_Wuqmt5dZKg-agUj8fzuw-",
          "hits": 1,
          "active": false,
          "created_at": 1795421760
        }
      ],
      "has_more": false
    }
  },
  "delete_fault": {
    "params": {
      "id": "flt_rcdyONCCYPvjLmJfEpdJX"
    }
  },
  "set_clock_rate": {
    "body": {
      "rate": 60
    },
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424400,
      "offset_seconds": 840,
      "frozen": true,
      "rate": 60,
      "next_due_at": 1795425360
    }
  },
  "resume_clock": {
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424400,
      "offset_seconds": 840,
      "frozen": false,
      "rate": 60,
      "next_due_at": 1795425360
    }
  },
  "load_scenario": {
    "params": {
      "name": "preemption"
    },
    "body": {
      "seed": 7
    },
    "response": {
      "object": "loaded_scenario",
      "scenario": "preemption",
      "seed": 7,
      "now": 1795424400,
      "accounts": [
        {
          "id": "bourse",
          "token": "eyJhbGciOiJFZERTQSJ9.m2e54U6r-O8IudGbIWLjwfYU.signature"
        },
        {
          "id": "acme",
          "token": "eyJhbGciOiJFZERTQSJ9.ZlpTPfiP3nfFkEzMcPWAYghI.signature"
        }
      ],
      "ids": {
        "sku": "sku_sX7dWDiSFaz3kWobqlI6s",
        "instance_1": "inst_oFTg5rMDddSyTOQ6zhV8q",
        "instance_2": "inst_heUnqti4o9PS10UI6nuk1",
        "instance_3": "inst_o6tvbk0OoN6rt6OCGUfEN",
        "instance_4": "inst_4tOdGB_4SiXG2ueswJHF6",
        "instance_5": "inst_W-7XZO3RPtwdhfuc57z_s",
        "instance_6": "inst_puZZ2dAm6Moi3-Mi0p9Yh",
        "instance_waiting": "inst_VC1B4nZG4T5UGE8ZZs1Lt",
        "pool": "pool_voiHtNYNNe0lPnJXCFRW_",
        "image": "image_g78LZTce5W-WzhVFj1GDY",
        "pool_market": "pool_8b6HyrX15LItfwRpjui79"
      }
    }
  },
  "reset_sandbox": {
    "body": {
      "scenario": "empty"
    },
    "response": {
      "object": "loaded_scenario",
      "scenario": "empty",
      "seed": 1,
      "now": 1795424400,
      "accounts": [
        {
          "id": "bourse",
          "token": "eyJhbGciOiJFZERTQSJ9.m2e54U6r-O8IudGbIWLjwfYU.signature"
        },
        {
          "id": "acme",
          "token": "eyJhbGciOiJFZERTQSJ9.ZlpTPfiP3nfFkEzMcPWAYghI.signature"
        }
      ],
      "ids": {}
    }
  },
  "get_account": {
    "response": {
      "object": "account",
      "id": "acme",
      "name": "Acme Research",
      "entity_type": null,
      "trust_level": "trusted",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1791968400,
      "token": {
        "object": "token",
        "id": "tokn_ean9C31U_-TM6Bz51TjkO",
        "name": "admin",
        "expires_at": null
      },
      "workspace": {
        "object": "workspace",
        "id": "wksp_ha51Jpm6liA73tlZlMYlT",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "user": null,
      "server": {
        "version": "0.1.0",
        "interface_version": "0.1.0",
        "mode": "sandbox",
        "now": 1795424400
      }
    }
  },
  "get_permissions": {
    "response": {
      "object": "permissions",
      "account": {
        "workspace": [
          "create",
          "read"
        ],
        "user": [
          "create",
          "read"
        ],
        "role": [
          "create",
          "read"
        ],
        "grant": [
          "create",
          "read"
        ],
        "token": [
          "create",
          "read"
        ],
        "image": [
          "create",
          "read"
        ],
        "instance_template": [
          "create",
          "read"
        ],
        "instance": [
          "create",
          "read"
        ],
        "secret": [
          "create",
          "read"
        ],
        "pool": [
          "create",
          "read"
        ],
        "pool_transfer": [
          "create",
          "read"
        ],
        "order": [
          "create",
          "read"
        ],
        "procurement": [
          "create",
          "read"
        ],
        "deployment": [
          "create",
          "read"
        ],
        "firewall": [
          "create",
          "read"
        ],
        "subnet": [
          "create",
          "read"
        ],
        "infiniband_partition": [
          "create",
          "read"
        ],
        "billing": [
          "create",
          "read"
        ],
        "event": [
          "create",
          "read"
        ],
        "audit": [
          "create",
          "read"
        ],
        "webhook": [
          "create",
          "read"
        ],
        "host": [
          "create",
          "read"
        ]
      },
      "workspaces": []
    }
  },
  "list_webhook_keys": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "webhook_key",
          "public_key": "whpk_EfmTPEySDgWknV_FisCBf7XXoK1ToITflQA9Y5Sb348=",
          "is_current": true
        }
      ],
      "has_more": false
    }
  },
  "list_budgets": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "budget",
          "id": "bdgt_lIAyWyuG5sC476gGquUr9",
          "name": "research",
          "workspace": "wksp_YuQ0ogA91TgWw2QHZW8oP",
          "period": "month",
          "amount_dollars": "5000.000000",
          "thresholds_percent": [
            50,
            80
          ],
          "threshold_basis": "actual",
          "reached_percent": [],
          "hard_stop": true,
          "spent_dollars": "0.000000",
          "held_dollars": "0.000000",
          "forecast_dollars": "0.000000",
          "period_start": 1793491200,
          "period_end": 1796083200,
          "created_at": 1795424400,
          "updated_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "bdgtc_bWEtRH2Im19OCSb6LO1Hdqv1"
    }
  },
  "list_host_enrolments": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "host_enrolment",
          "id": "henr_1yG0dRrGX9OvkDEF5R0KJ",
          "workspace": {
            "object": "workspace",
            "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku__-sUVUX3Yw-WuExZbtH4m",
            "alias": "h100-west"
          },
          "slots": 1,
          "uses": 8,
          "used": 0,
          "expires_at": 1795510800,
          "created_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "henrc_wW9f5kK5MyN4clfd5sczDic0"
    }
  },
  "list_scenarios": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "scenario",
          "name": "empty",
          "description": "The platform account and one customer account, without money, pools and instances."
        },
        {
          "object": "scenario",
          "name": "quickstart",
          "description": "A small market, with instances in every state. A sandbox starts with it."
        }
      ],
      "has_more": false
    }
  },
  "get_health": {
    "response": {
      "status": "ok"
    }
  },
  "get_readiness": {
    "response": {
      "status": "ok",
      "parts": [
        {
          "name": "database",
          "message": "ok"
        },
        {
          "name": "schema",
          "message": "ok"
        }
      ]
    }
  },
  "get_version": {
    "response": {
      "name": "bourse",
      "version": "0.1.0",
      "interface_version": "0.1.0",
      "mode": "sandbox",
      "commit": "4f2c1e7"
    }
  },
  "get_signing_keys": {
    "response": {
      "keys": [
        {
          "kty": "OKP",
          "crv": "Ed25519",
          "x": "j61vWCkFMIxHxPo41HD4NpeQtQ7dU_NMBhyhcyskYXw",
          "kid": "1qDnLi3NeLqpg4PT",
          "use": "sig",
          "alg": "EdDSA"
        },
        {
          "kty": "OKP",
          "crv": "Ed25519",
          "x": "SyJSCLVi4SrDR27ORxDIbQXaxtA7b2pD9nE9ORfyjYE",
          "kid": "ZNqz4SyArscQkiUn",
          "use": "sig",
          "alg": "EdDSA"
        }
      ]
    }
  },
  "get_budget": {
    "params": {
      "id": "bdgt_lIAyWyuG5sC476gGquUr9"
    },
    "response": {
      "object": "budget",
      "id": "bdgt_lIAyWyuG5sC476gGquUr9",
      "name": "research",
      "workspace": "wksp_YuQ0ogA91TgWw2QHZW8oP",
      "period": "month",
      "amount_dollars": "5000.000000",
      "thresholds_percent": [
        50,
        80
      ],
      "threshold_basis": "actual",
      "reached_percent": [],
      "hard_stop": true,
      "spent_dollars": "0.000000",
      "held_dollars": "0.000000",
      "forecast_dollars": "0.000000",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "get_host_enrolment": {
    "params": {
      "id": "henr_1yG0dRrGX9OvkDEF5R0KJ"
    },
    "response": {
      "object": "host_enrolment",
      "id": "henr_1yG0dRrGX9OvkDEF5R0KJ",
      "workspace": {
        "object": "workspace",
        "id": "wksp_3t5EeehQFA2ZrTCSCitSZ",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku__-sUVUX3Yw-WuExZbtH4m",
        "alias": "h100-west"
      },
      "slots": 1,
      "uses": 8,
      "used": 0,
      "expires_at": 1795510800,
      "created_at": 1795424400
    }
  }
}
